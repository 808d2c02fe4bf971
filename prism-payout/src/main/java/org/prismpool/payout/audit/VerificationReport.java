package org.prismpool.payout.audit;

import org.prismpool.payout.coinbase.CoinbaseManifest;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.reward.CoinbaseOutputPolicy;
import org.prismpool.payout.reward.PayoutAccount;

/**
 * What a successful verification found (payout specification 8.14).
 *
 * @param blockHeight height, unsigned 64 bits
 * @param coinbaseValueSats value, unsigned 64 bits
 * @param rewardManifestSha256Hex hash of the reward manifest
 * @param payoutPolicyManifestSha256Hex hash of the payout-policy manifest
 * @param prismAuditCommitmentLeafHex leaf of both
 * @param auditCommitmentRootHex root that the block's witness nonce must be
 * @param coinbaseManifestSha256Hex hash of the coinbase manifest
 * @param auditBundleSha256Hex public identity of the bundle
 * @param coinbaseTxid id of the coinbase, display order
 * @param coinbaseWtxid witness id of the coinbase, display order
 * @param coinbaseTxHex the coinbase with witness
 * @param minOutputSats floor, unsigned 64 bits
 * @param coinbaseOutputPolicy order of the outputs
 * @param onchainOutputCount payout outputs of the coinbase, covenants included
 * @param accruedAccountCount accounts that are carried forward
 */
public record VerificationReport(
        long blockHeight,
        long coinbaseValueSats,
        String rewardManifestSha256Hex,
        String payoutPolicyManifestSha256Hex,
        String prismAuditCommitmentLeafHex,
        String auditCommitmentRootHex,
        String coinbaseManifestSha256Hex,
        String auditBundleSha256Hex,
        String coinbaseTxid,
        String coinbaseWtxid,
        String coinbaseTxHex,
        long minOutputSats,
        CoinbaseOutputPolicy coinbaseOutputPolicy,
        long onchainOutputCount,
        long accruedAccountCount) {

    /** Schema of a report. */
    public static final String SCHEMA = "qbit.prism.audit-verification-report.v1";

    private static final Name SCHEMA_NAME = Name.of("schema");
    private static final Name BLOCK_HEIGHT = Name.of("block_height");
    private static final Name COINBASE_VALUE_SATS = Name.of("coinbase_value_sats");
    private static final Name REWARD_SHA256 = Name.of("reward_manifest_sha256_hex");
    private static final Name POLICY_SHA256 = Name.of("payout_policy_manifest_sha256_hex");
    private static final Name PRISM_LEAF = Name.of("prism_audit_commitment_leaf_hex");
    private static final Name COMMITMENT_ROOT = Name.of("audit_commitment_root_hex");
    private static final Name COINBASE_SHA256 = Name.of("coinbase_manifest_sha256_hex");
    private static final Name BUNDLE_SHA256 = Name.of("audit_bundle_sha256_hex");
    private static final Name TXID = Name.of("coinbase_txid");
    private static final Name WTXID = Name.of("coinbase_wtxid");
    private static final Name TX_HEX = Name.of("coinbase_tx_hex");
    private static final Name MIN_OUTPUT_SATS = Name.of("min_output_sats");
    private static final Name OUTPUT_POLICY = Name.of("coinbase_output_policy");
    private static final Name ONCHAIN_OUTPUT_COUNT = Name.of("onchain_output_count");
    private static final Name ACCRUED_ACCOUNT_COUNT = Name.of("accrued_account_count");

    /**
     * Writes the report as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        out.beginObject();
        out.member(SCHEMA_NAME, SCHEMA);
        out.member(BLOCK_HEIGHT, blockHeight);
        out.member(COINBASE_VALUE_SATS, coinbaseValueSats);
        out.member(REWARD_SHA256, rewardManifestSha256Hex);
        out.member(POLICY_SHA256, payoutPolicyManifestSha256Hex);
        out.member(PRISM_LEAF, prismAuditCommitmentLeafHex);
        out.member(COMMITMENT_ROOT, auditCommitmentRootHex);
        out.member(COINBASE_SHA256, coinbaseManifestSha256Hex);
        out.member(BUNDLE_SHA256, auditBundleSha256Hex);
        out.member(TXID, coinbaseTxid);
        out.member(WTXID, coinbaseWtxid);
        out.member(TX_HEX, coinbaseTxHex);
        out.member(MIN_OUTPUT_SATS, minOutputSats);
        if (coinbaseOutputPolicy != CoinbaseOutputPolicy.CANONICAL) {
            out.member(OUTPUT_POLICY, coinbaseOutputPolicy.text());
        }
        out.member(ONCHAIN_OUTPUT_COUNT, onchainOutputCount);
        out.member(ACCRUED_ACCOUNT_COUNT, accruedAccountCount);
        out.endObject();
    }

    /** Hashes that the verifier computed on its way. */
    record Hashes(String reward, String policy, String leaf, String root, String coinbase, String bundle) {}

    static VerificationReport of(AuditBundle bundle, Hashes hashes) {
        CoinbaseManifest coinbase = bundle.signedCoinbaseManifest().manifest();
        long accrued = bundle.payoutPolicyManifest().accounts().stream()
                .filter(account -> account.action() == PayoutAccount.PayoutAction.ACCRUED)
                .count();
        return new VerificationReport(
                bundle.foundBlock().blockHeight(),
                bundle.foundBlock().coinbaseValueSats(),
                hashes.reward(),
                hashes.policy(),
                hashes.leaf(),
                hashes.root(),
                hashes.coinbase(),
                hashes.bundle(),
                coinbase.coinbaseTxid(),
                coinbase.coinbaseWtxid(),
                coinbase.coinbaseTxHex(),
                bundle.payoutPolicyManifest().minOutputSats(),
                bundle.payoutPolicyManifest().coinbaseOutputPolicy(),
                coinbase.payoutCount(),
                accrued);
    }
}
