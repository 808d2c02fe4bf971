package org.prismpool.templates;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.prismpool.templates.chain.CompactTarget;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.job.BlockTerms;
import org.prismpool.templates.job.TransactionSet;
import org.prismpool.templates.job.WitnessCommitment;

/** Derives a {@link BlockTemplate} from the node's JSON, or refuses it whole; never half of it (spec 03 §3.1, §3.2). */
final class TemplateReader {

    private static final long UNSIGNED_INT = 0xffffffffL;

    private final Network network;
    private final int rollingMask;

    TemplateReader(Network network, int rollingMask) {
        this.network = network;
        this.rollingMask = rollingMask;
    }

    /** Reads a template; {@code known} holds the transactions of an earlier observation with the same fingerprint. */
    BlockTemplate read(JsonNode json, Optional<BlockTemplate> known) {
        BlockTerms terms = terms(json);
        int weightLimit = (int) integer(json, "weightlimit", Network.MAX_BLOCK_WEIGHT, 1, Integer.MAX_VALUE);
        if (known.isPresent()) {
            BlockTemplate same = known.get();
            return new BlockTemplate(terms, same.transactions(), same.feesSats(), weightLimit);
        }
        List<Long> fees = new ArrayList<>();
        TransactionSet transactions = transactions(json.path("transactions"), fees);
        checkCommitment(json.path("default_witness_commitment"), transactions);
        return new BlockTemplate(terms, transactions, fees, weightLimit);
    }

    private BlockTerms terms(JsonNode json) {
        Hash256 parent = parent(json);
        long height = integer(json, "height", 1, UNSIGNED_INT);
        long value = integer(json, "coinbasevalue", 1, Long.MAX_VALUE);
        long version = integer(json, "version", Integer.MIN_VALUE, UNSIGNED_INT);
        long current = integer(json, "curtime", 0, Long.MAX_VALUE) & UNSIGNED_INT;
        long minimum = integer(json, "mintime", 0, 0, Long.MAX_VALUE) & UNSIGNED_INT;
        int futureLimit = futureLimit(json, height);
        return new BlockTerms(
                parent,
                height,
                value,
                (int) version & ~rollingMask,
                bits(json),
                new BlockTerms.TimeLimits(current, minimum, futureLimit));
    }

    static Hash256 parent(JsonNode json) {
        JsonNode parent = json.path("previousblockhash");
        if (!parent.isTextual()) {
            throw new TemplateRefusedException("previousblockhash is missing");
        }
        try {
            return Hash256.ofDisplayHex(parent.textValue());
        } catch (IllegalArgumentException e) {
            throw new TemplateRefusedException("previousblockhash is not a hash");
        }
    }

    private CompactTarget bits(JsonNode json) {
        CompactTarget bits;
        try {
            bits = CompactTarget.ofHex(json.path("bits").asText(""));
        } catch (IllegalArgumentException e) {
            throw new TemplateRefusedException("bits are invalid: " + e.getMessage());
        }
        if (bits.target().compareTo(network.powLimit()) > 0) {
            throw new TemplateRefusedException("bits exceed the proof-of-work limit");
        }
        return bits;
    }

    private int futureLimit(JsonNode json, long height) {
        int known = network.futureTimeLimitSeconds(height);
        return (int) integer(json.path("future_block_time"), "limit_seconds", known, 1, Integer.MAX_VALUE);
    }

    private static TransactionSet transactions(JsonNode array, List<Long> fees) {
        if (!array.isArray()) {
            throw new TemplateRefusedException("transactions are missing");
        }
        TransactionSet.Builder builder = new TransactionSet.Builder(Network.MAX_BLOCK_WEIGHT / 8);
        for (JsonNode entry : array) {
            JsonNode data = entry.path("data");
            if (!data.isTextual()) {
                throw new TemplateRefusedException("transaction " + fees.size() + " has no data");
            }
            try {
                builder.add(Hex.decode(data.textValue()));
            } catch (IllegalArgumentException e) {
                throw new TemplateRefusedException("transaction " + fees.size() + ": " + e.getMessage());
            }
            fees.add(integer(entry, "fee", -1, -1, Long.MAX_VALUE));
        }
        return builder.build();
    }

    /** A mismatch means that we understand a transaction otherwise than the node does. */
    private static void checkCommitment(JsonNode declared, TransactionSet transactions) {
        if (!declared.isTextual()) {
            return;
        }
        Hash256 ours = WitnessCommitment.commit(transactions.witnessRoot(), new byte[Hash256.SIZE]);
        if (!Hex.encode(WitnessCommitment.script(ours)).equalsIgnoreCase(declared.textValue())) {
            throw new TemplateRefusedException("default_witness_commitment does not match the transactions");
        }
    }

    private static long integer(JsonNode json, String name, long least, long most) {
        JsonNode value = json.path(name);
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw new TemplateRefusedException(name + " is not an integer");
        }
        if (value.longValue() < least || value.longValue() > most) {
            throw new TemplateRefusedException(name + " is out of range");
        }
        return value.longValue();
    }

    private static long integer(JsonNode json, String name, long ifAbsent, long least, long most) {
        return json.path(name).isMissingNode() ? ifAbsent : integer(json, name, least, most);
    }
}
