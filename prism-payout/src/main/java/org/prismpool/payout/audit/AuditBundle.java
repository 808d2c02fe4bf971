package org.prismpool.payout.audit;

import java.util.List;
import java.util.Optional;
import org.prismpool.payout.coinbase.SignedCoinbaseManifest;
import org.prismpool.payout.ctv.FanoutFeePolicy;
import org.prismpool.payout.ctv.FanoutManifestSet;
import org.prismpool.payout.ctv.SettlementDecision;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.reward.PayoutPolicy;
import org.prismpool.payout.reward.PayoutPolicyManifest;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.payout.reward.RewardManifest;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.RewardWindow;
import org.prismpool.payout.window.WindowShare;

/**
 * Everything that lets anyone recompute a block's payout (payout specification 8.12). The SHA-256 of its canonical bytes is
 * its public identity. Read from a document it may hold anything; {@link AuditVerifier} tells whether it is true.
 *
 * @param schema schema text
 * @param shares accepted shares as given, ineligible and uncounted ones included
 * @param foundBlock the block
 * @param priorBalances balances before it, as given
 * @param payoutPolicy the policy
 * @param coinbaseScriptSigSuffixHex bytes after the height as given; empty for none
 * @param witnessMerkleLeavesHex witness hashes of the other transactions as given
 * @param auditCommitmentLeavesHex leaves that the block commits to
 * @param auditCommitmentRootHex their root; empty if the document has none
 * @param ledgerWindowAttestation the ledger's statement
 * @param rewardManifest the counted work
 * @param payoutPolicyManifest who is paid
 * @param settlementModeDecision how; empty without CTV settlement
 * @param ctvFanoutFeePolicy fee rate of fanouts; empty for none
 * @param ctvFanoutManifestSet the fanouts; empty for none
 * @param signedCoinbaseManifest the coinbase
 */
public record AuditBundle(
        String schema,
        List<WindowShare> shares,
        FoundBlock foundBlock,
        List<PriorBalance> priorBalances,
        PayoutPolicy payoutPolicy,
        Optional<String> coinbaseScriptSigSuffixHex,
        List<String> witnessMerkleLeavesHex,
        List<String> auditCommitmentLeavesHex,
        Optional<String> auditCommitmentRootHex,
        LedgerWindowAttestation ledgerWindowAttestation,
        RewardManifest rewardManifest,
        PayoutPolicyManifest payoutPolicyManifest,
        Optional<SettlementDecision> settlementModeDecision,
        Optional<FanoutFeePolicy> ctvFanoutFeePolicy,
        Optional<FanoutManifestSet> ctvFanoutManifestSet,
        SignedCoinbaseManifest signedCoinbaseManifest) {

    /** Schema of a bundle whose shares carry no credit policy. */
    public static final String SCHEMA_V1 = "qbit.prism.audit-bundle.v1";

    /** Schema of a bundle with a credit policy on any share. */
    public static final String SCHEMA_V1_1 = "qbit.prism.audit-bundle.v1.1";

    /** Id of the one share of a bundle that was built before the pool had enough miners; it stands for no row of the ledger. */
    public static final String COLLECTION_SHARE = "bootstrap-share"; // spec 04 §17.1

    /**
     * Returns the schema that a list of shares calls for.
     *
     * @param shares the shares of a bundle
     * @return the schema text
     */
    public static String schemaFor(List<WindowShare> shares) {
        for (WindowShare share : shares) {
            if (share.creditPolicy().isPresent()) {
                return SCHEMA_V1_1;
            }
        }
        return SCHEMA_V1;
    }

    /**
     * Returns the job summary of the same build.
     *
     * @return the summary
     */
    public JobSummary summary() {
        return new JobSummary(foundBlock, signedCoinbaseManifest, payoutPolicyManifest);
    }

    /**
     * Returns the bundle with other shares.
     *
     * @param other the shares
     * @return the bundle; no other member changes
     */
    AuditBundle withShares(List<WindowShare> other) {
        return new AuditBundle(
                schema,
                other,
                foundBlock,
                priorBalances,
                payoutPolicy,
                coinbaseScriptSigSuffixHex,
                witnessMerkleLeavesHex,
                auditCommitmentLeavesHex,
                auditCommitmentRootHex,
                ledgerWindowAttestation,
                rewardManifest,
                payoutPolicyManifest,
                settlementModeDecision,
                ctvFanoutFeePolicy,
                ctvFanoutManifestSet,
                signedCoinbaseManifest);
    }

    /**
     * Returns the canonical bytes as one array; for large bundles {@link #write} streams them.
     *
     * @return the bytes
     */
    public byte[] canonicalBytes() {
        return CanonicalWriter.bytesOf(this::write);
    }

    /**
     * Tells whether the solver receives everything, because the pool had too few miners for a window.
     *
     * @return true if the bundle's share is the synthetic one, which the ledger does not hold
     */
    public boolean collects() {
        return shares.stream().anyMatch(share -> share.shareId().equals(COLLECTION_SHARE));
    }

    /**
     * Returns the public identity: the SHA-256 of the canonical bytes.
     *
     * @return 64 lower-case digits
     */
    public String sha256Hex() {
        return Hex.encode(
                shares.size() >= RewardWindow.LARGE
                        ? CanonicalWriter.sha256OfLarge(this::write)
                        : CanonicalWriter.sha256Of(this::write));
    }

    /**
     * Writes the bundle as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        AuditBundleDocument.write(out, this, true);
    }

    /**
     * Reads a whole bundle of schema v1 or v1.1. Nothing is verified; any schema text is taken.
     *
     * @param in the reader
     * @return the bundle
     * @throws org.prismpool.payout.json.JsonException if it is malformed
     */
    public static AuditBundle read(ExactReader in) {
        AuditBundle bundle = AuditBundleDocument.read(in, true);
        in.end();
        return bundle;
    }
}
