package org.prismpool.payout.audit;

import org.prismpool.payout.coinbase.SignedCoinbaseManifest;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.reward.PayoutPolicyManifest;
import org.prismpool.payout.window.FoundBlock;

/**
 * What a job needs of a build (payout specification 8.13): the coinbase and who it pays.
 *
 * @param foundBlock the block
 * @param signedCoinbaseManifest the coinbase
 * @param payoutPolicyManifest who is paid
 */
public record JobSummary(
        FoundBlock foundBlock,
        SignedCoinbaseManifest signedCoinbaseManifest,
        PayoutPolicyManifest payoutPolicyManifest) {

    private static final Name FOUND_BLOCK = Name.of("found_block");
    private static final Name SIGNED_COINBASE_MANIFEST = Name.of("signed_coinbase_manifest");
    private static final Name PAYOUT_POLICY_MANIFEST = Name.of("payout_policy_manifest");

    /**
     * Returns the canonical bytes.
     *
     * @return the bytes
     */
    public byte[] canonicalBytes() {
        return CanonicalWriter.bytesOf(this::write);
    }

    /**
     * Writes the summary as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        out.beginObject();
        out.name(FOUND_BLOCK);
        foundBlock.write(out);
        out.name(SIGNED_COINBASE_MANIFEST);
        signedCoinbaseManifest.write(out);
        out.name(PAYOUT_POLICY_MANIFEST);
        payoutPolicyManifest.write(out);
        out.endObject();
    }
}
