package org.prismpool.app.demo;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.app.devnode.DevNode;
import org.prismpool.payout.audit.AuditArtifact;
import org.prismpool.payout.audit.AuditBundle;
import org.prismpool.payout.audit.AuditVerifier;
import org.prismpool.payout.audit.VerificationReport;
import org.prismpool.payout.coinbase.CoinbaseOutput;
import org.prismpool.payout.json.JsonException;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.templates.chain.ByteReader;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Sha256d;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionOutput;

/**
 * Checks one accounted block from outside: the node's active chain has it, its coinbase on the chain pays what the stored
 * bundle says, and the bundle verifies with the pool's public key alone.
 */
final class BlockCheck {

    private static final int HEADER_BYTES = 80;

    private final DevNode node;
    private final Path auditDirectory;
    private final String ledgerKeyHex;

    BlockCheck(DevNode node, Path auditDirectory, String ledgerKeyHex) {
        this.node = node;
        this.auditDirectory = auditDirectory;
        this.ledgerKeyHex = ledgerKeyHex;
    }

    /**
     * Checks a block.
     *
     * @param hash the block
     * @param height height that it was accounted at
     * @return its payouts and every problem found, none if all holds
     */
    CheckedBlock check(Hash256 hash, long height) {
        List<String> problems = new ArrayList<>();
        List<CheckedBlock.Payout> payouts = new ArrayList<>();
        JsonNode active = node.call("getblockhash", height).result();
        if (!active.asText("").equals(hash.displayHex())) {
            problems.add("the node's block at height " + height + " is another one");
        }
        try {
            Transaction coinbase = coinbase(hash);
            AuditBundle bundle = AuditArtifact.read(body(hash));
            VerificationReport report = new AuditVerifier(ledgerKeyHex).verify(bundle);
            AuditVerifier.compareWithChain(report, coinbase.hex(), OptionalLong.empty());
            compareOutputs(coinbase, bundle, payouts, problems);
        } catch (IOException | PayoutRuleException | JsonException refused) {
            problems.add(String.valueOf(refused.getMessage()));
        }
        return new CheckedBlock(hash.displayHex(), height, payouts, problems);
    }

    private Transaction coinbase(Hash256 hash) throws IOException {
        JsonNode raw = node.call("getblock", hash.displayHex(), 0).result();
        if (!raw.isTextual()) {
            throw new IOException("the node does not have block " + hash.displayHex());
        }
        byte[] block = HexFormat.of().parseHex(raw.textValue());
        // A block this small has a one-byte transaction count; the coinbase follows it.
        ByteReader reader = new ByteReader(block, HEADER_BYTES + 1, block.length - HEADER_BYTES - 1);
        return Transaction.read(block, reader, new Sha256d.Hasher());
    }

    private Path body(Hash256 hash) throws IOException {
        String pattern = "prism-audit-bundle-body-" + hash.displayHex() + "-*.json";
        try (DirectoryStream<Path> bodies = Files.newDirectoryStream(auditDirectory, pattern)) {
            Optional<Path> first = Optional.empty();
            for (Path body : bodies) {
                first = Optional.of(body);
            }
            return first.orElseThrow(
                    () -> new IOException("no audit body of block " + hash.displayHex() + " in " + auditDirectory));
        }
    }

    private static void compareOutputs(
            Transaction coinbase, AuditBundle bundle, List<CheckedBlock.Payout> payouts, List<String> problems) {
        List<TransactionOutput> onChain = coinbase.outputs();
        List<CoinbaseOutput> promised =
                bundle.signedCoinbaseManifest().manifest().outputs();
        if (onChain.size() != promised.size() + 1) {
            problems.add("the coinbase has " + onChain.size() + " outputs, the bundle promises " + promised.size());
            return;
        }
        for (int i = 0; i < promised.size(); i++) {
            CoinbaseOutput output = promised.get(i);
            boolean same = onChain.get(i).valueSats() == output.amountSats()
                    && HexFormat.of().formatHex(onChain.get(i).script()).equals(output.scriptPubkeyHex());
            if (!same) {
                problems.add("output " + i + " on the chain is not what the bundle promises to "
                        + output.identity().recipientId());
            }
            payouts.add(new CheckedBlock.Payout(output.identity().recipientId(), output.amountSats()));
        }
    }
}
