package org.prismpool.payout.ctv;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.json.Sha256;
import org.prismpool.payout.window.PayoutIdentity;

/**
 * A fanout before its parent coinbase exists (settlement specification 11.1). A leaf of it is committed by the block.
 *
 * @param schema schema text
 * @param blockHeight height, unsigned 64 bits
 * @param chunkIndex index of the chunk, unsigned 32 bits
 * @param chunkCount number of chunks, unsigned 32 bits
 * @param coinbaseValueSats value of the block, unsigned 64 bits
 * @param settlementMode mode of the block
 * @param covenantOutputValueSats value of the covenant output: payouts and fee
 * @param covenantScriptPubkeyHex script of the covenant output
 * @param fanoutTxTemplateHex the fanout without witness and with a null prevout
 * @param fanoutInputIndex index of the input that the hash is for, 0
 * @param fanoutSequence sequence of the input: 2^31 and the chunk index
 * @param fanoutLockTime lock time, the height
 * @param fanoutOutputSumSats sum of the payouts
 * @param fanoutFeeSats built-in fee, 0 for an anchored fanout
 * @param anchorVout index of the anchor output; empty for a built-in fee
 * @param ctvHashHex template hash
 * @param ctvLeafScriptHex leaf script
 * @param p2mrProgramHex program of the covenant output
 * @param p2mrControlBlockHex control block, {@code c1}
 * @param rewardManifestSha256Hex hash of the reward manifest
 * @param payoutPolicyManifestSha256Hex hash of the payout-policy manifest
 * @param outputs the payouts
 */
public record FanoutPrecommitment(
        String schema,
        long blockHeight,
        long chunkIndex,
        long chunkCount,
        long coinbaseValueSats,
        SettlementMode settlementMode,
        long covenantOutputValueSats,
        String covenantScriptPubkeyHex,
        String fanoutTxTemplateHex,
        long fanoutInputIndex,
        long fanoutSequence,
        long fanoutLockTime,
        long fanoutOutputSumSats,
        long fanoutFeeSats,
        Optional<Long> anchorVout,
        String ctvHashHex,
        String ctvLeafScriptHex,
        String p2mrProgramHex,
        String p2mrControlBlockHex,
        String rewardManifestSha256Hex,
        String payoutPolicyManifestSha256Hex,
        List<FanoutOutput> outputs) {

    /** Schema of a precommitment that this library builds. */
    public static final String SCHEMA = "qbit.prism.ctv-fanout-precommitment.v1";

    private static final byte[] LEAF_DOMAIN = "qbit.prism.ctv-fanout.commitment.v1".getBytes(StandardCharsets.US_ASCII);

    /** Copies the list. */
    public FanoutPrecommitment {
        outputs = List.copyOf(outputs);
    }

    /**
     * Builds the precommitment of a chunk.
     *
     * @param context what every chunk of the block commits to
     * @param chunkIndex index of the chunk
     * @param payouts the recipients with their parts of the fee, in any order; no fee at all means an anchored fanout
     * @return the precommitment
     * @throws org.prismpool.payout.window.PayoutRuleException with the contract text of the first rule that is broken
     */
    public static FanoutPrecommitment build(FanoutContext context, long chunkIndex, List<FanoutFee.Share> payouts) {
        return FanoutConstruction.build(context, chunkIndex, payouts);
    }

    /**
     * Returns the SHA-256 of the canonical bytes.
     *
     * @return 64 lower-case digits
     */
    public String sha256Hex() {
        return Hex.encode(CanonicalWriter.sha256Of(this::write));
    }

    /**
     * Returns the leaf that the block's witness nonce commits to.
     *
     * @return 64 lower-case digits
     */
    public String commitmentLeafHex() {
        return Sha256.hex(LEAF_DOMAIN, CanonicalWriter.sha256Of(this::write));
    }

    /**
     * Returns who the covenant output belongs to in the coinbase.
     *
     * @return the covenant as a recipient
     */
    public PayoutIdentity covenantIdentity() {
        String index = Long.toString(chunkIndex);
        return new PayoutIdentity(
                "ctv-fanout-" + index,
                "ctv-fanout-" + "0".repeat(Math.max(0, 8 - index.length())) + index,
                p2mrProgramHex);
    }

    /**
     * Writes the precommitment as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        FanoutPrecommitmentMembers.write(out, this);
    }

    /**
     * Reads a precommitment.
     *
     * @param in the reader
     * @return the precommitment
     */
    public static FanoutPrecommitment read(ExactReader in) {
        return FanoutPrecommitmentMembers.read(in);
    }
}
