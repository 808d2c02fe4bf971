package org.prismpool.bundle;

import java.math.BigInteger;
import java.util.Objects;
import java.util.Optional;
import org.prismpool.templates.chain.Hash256;

/**
 * Every input of a signed artifact, so that none lies outside its key (spec 07 §1.3).
 *
 * @param template what comes from the node
 * @param payout what comes from the payout state
 * @param rules what comes from configuration
 * @param mode ready or collection
 * @param identity identity that collection work pays
 * @param issuedAtMs issue time of the work's jobs, frozen per template generation
 * @param shareSnapshotSha256 digest of the shares, once they are read
 */
public record BuildKey(
        Template template,
        Payout payout,
        Rules rules,
        BundleMode mode,
        Optional<CollectionIdentity> identity,
        long issuedAtMs,
        Optional<String> shareSnapshotSha256) {

    /** Checks the components. */
    public BuildKey {
        Objects.requireNonNull(template, "template");
        Objects.requireNonNull(payout, "payout");
        Objects.requireNonNull(rules, "rules");
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(identity, "identity");
        Objects.requireNonNull(shareSnapshotSha256, "shareSnapshotSha256");
        if (identity.isPresent() != (mode == BundleMode.COLLECTION)) {
            throw new IllegalArgumentException("exactly collection work has an identity");
        }
    }

    /**
     * The node's part.
     *
     * @param bestTip best tip when the template was observed
     * @param previousBlock parent of the work
     * @param fingerprint template fingerprint
     * @param generation template generation
     * @param height block height
     * @param coinbaseValueSats coinbase value
     * @param networkDifficulty scaled network difficulty
     * @param witnessMerkleSha256 digest of the witness leaves
     * @param transactionSetSha256 digest of the transaction ids
     */
    public record Template(
            Hash256 bestTip,
            Hash256 previousBlock,
            String fingerprint,
            long generation,
            long height,
            long coinbaseValueSats,
            BigInteger networkDifficulty,
            String witnessMerkleSha256,
            String transactionSetSha256) {

        Template withoutGeneration() {
            return new Template(
                    bestTip,
                    previousBlock,
                    fingerprint,
                    0,
                    height,
                    coinbaseValueSats,
                    networkDifficulty,
                    witnessMerkleSha256,
                    transactionSetSha256);
        }
    }

    /**
     * The payout state's part.
     *
     * @param generation payout generation
     * @param digest digest of its balances
     * @param appendEpoch append epoch; 0 for collection work
     * @param windowGeneration generation of the prepared window that serves; 0 without one
     */
    public record Payout(long generation, String digest, long appendEpoch, long windowGeneration) {}

    /**
     * The configuration's part.
     *
     * @param payoutPolicySha256 digest of the payout policy
     * @param ctvSettlementSha256 digest of the settlement input, if settlement is on
     * @param coinbaseSuffixHex coinbase tag and placeholder extranonces
     * @param manifestKeySha256 digest of the manifest signing key
     * @param ledgerKeySha256 digest of the ledger attestation key
     * @param numericContextSha256 digest of the arithmetic in use
     */
    public record Rules(
            String payoutPolicySha256,
            Optional<String> ctvSettlementSha256,
            String coinbaseSuffixHex,
            String manifestKeySha256,
            String ledgerKeySha256,
            String numericContextSha256) {}

    /**
     * Returns the key with the digest of the shares that were read.
     *
     * @param sha256 share snapshot digest
     * @return the completed key
     */
    public BuildKey withShares(String sha256) {
        return new BuildKey(template, payout, rules, mode, identity, issuedAtMs, Optional.of(sha256));
    }
}
