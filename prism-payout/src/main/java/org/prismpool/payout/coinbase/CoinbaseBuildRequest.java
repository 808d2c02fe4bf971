package org.prismpool.payout.coinbase;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.WeightedEntitlement;

/**
 * What a coinbase is built from (block specification 5.1).
 *
 * @param blockHeight height, unsigned 64 bits; 1 to 2^32 - 1 can be built
 * @param coinbaseValueSats value to split, unsigned 64 bits
 * @param entitlements who gets it, in any order
 * @param witnessNonceHex 32 bytes as hexadecimal text; empty for zeros
 * @param witnessMerkleLeavesHex witness hashes of the other transactions, internal byte order, hexadecimal text
 * @param scriptSigSuffixHex bytes after the height in the scriptSig, hexadecimal text; empty for none
 * @param pinnedFirstOutput the entitlement whose output comes first; empty for none
 */
public record CoinbaseBuildRequest(
        long blockHeight,
        long coinbaseValueSats,
        List<WeightedEntitlement> entitlements,
        Optional<String> witnessNonceHex,
        List<String> witnessMerkleLeavesHex,
        Optional<String> scriptSigSuffixHex,
        Optional<PayoutIdentity> pinnedFirstOutput) {

    private static final Name BLOCK_HEIGHT = Name.of("block_height");
    private static final Name COINBASE_VALUE_SATS = Name.of("coinbase_value_sats");
    private static final Name ENTITLEMENTS = Name.of("entitlements");
    private static final Name WITNESS_NONCE = Name.of("witness_nonce_hex");
    private static final Name WITNESS_LEAVES = Name.of("witness_merkle_leaves_hex");
    private static final Name SUFFIX = Name.of("coinbase_script_sig_suffix_hex");
    private static final Name PINNED = Name.of("pinned_first_output");
    private static final ObjectShape SHAPE = ObjectShape.required(
                    BLOCK_HEIGHT, COINBASE_VALUE_SATS, ENTITLEMENTS, WITNESS_NONCE, WITNESS_LEAVES, SUFFIX, PINNED)
            .except(WITNESS_NONCE, WITNESS_LEAVES, SUFFIX, PINNED);

    /** Copies the lists. */
    public CoinbaseBuildRequest {
        entitlements = List.copyOf(entitlements);
        witnessMerkleLeavesHex = List.copyOf(witnessMerkleLeavesHex);
    }

    /**
     * Reads a request.
     *
     * @param in the reader
     * @return the request
     */
    public static CoinbaseBuildRequest read(ExactReader in) {
        ObjectCursor member = in.object(SHAPE);
        long height = 0;
        long value = 0;
        List<WeightedEntitlement> entitlements = new ArrayList<>();
        Optional<String> nonce = Optional.empty();
        List<String> leaves = new ArrayList<>();
        Optional<String> suffix = Optional.empty();
        Optional<PayoutIdentity> pinned = Optional.empty();
        while (member.next()) {
            switch (member.name()) {
                case "block_height" -> height = in.unsigned64();
                case "coinbase_value_sats" -> value = in.unsigned64();
                case "entitlements" -> {
                    in.array();
                    while (in.hasElement()) {
                        entitlements.add(WeightedEntitlement.read(in));
                    }
                }
                case "witness_nonce_hex" -> nonce = in.optional(in::text);
                case "witness_merkle_leaves_hex" -> {
                    in.array();
                    while (in.hasElement()) {
                        leaves.add(in.text());
                    }
                }
                case "coinbase_script_sig_suffix_hex" -> suffix = in.optional(in::text);
                default -> pinned = in.optional(() -> PayoutIdentity.read(in));
            }
        }
        return new CoinbaseBuildRequest(height, value, entitlements, nonce, leaves, suffix, pinned);
    }
}
