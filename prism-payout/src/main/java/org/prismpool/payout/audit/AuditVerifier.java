package org.prismpool.payout.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.payout.coinbase.CoinbaseManifest;
import org.prismpool.payout.coinbase.CoinbaseOutput;
import org.prismpool.payout.ctv.FanoutFeePolicy;
import org.prismpool.payout.ctv.FanoutManifest;
import org.prismpool.payout.ctv.FanoutManifestSet;
import org.prismpool.payout.ctv.FanoutPrecommitment;
import org.prismpool.payout.ctv.FanoutSettlement;
import org.prismpool.payout.ctv.SettlementDecision;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.json.Sha256;
import org.prismpool.payout.reward.PayoutPolicyManifest;
import org.prismpool.payout.reward.PoolFee;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.payout.reward.RewardManifest;
import org.prismpool.payout.signing.ManifestSignature;
import org.prismpool.payout.signing.SignatureVerifier;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.payout.window.RewardWindow;
import org.prismpool.payout.window.WeightedEntitlement;

/**
 * Recomputes everything that an audit bundle claims (payout specification 11). Trust comes from two outside facts: the
 * ledger's public key and the coinbase transaction that is really on the chain; a key found inside a bundle proves nothing.
 *
 * <p>Immutable and thread-safe; runs on the caller's thread and never blocks.
 */
public final class AuditVerifier {

    private final String ledgerPublicKeyHex;

    /**
     * Creates a verifier.
     *
     * @param ledgerPublicKeyHex the ledger's key that the caller trusts, hexadecimal text of either case
     */
    public AuditVerifier(String ledgerPublicKeyHex) {
        this.ledgerPublicKeyHex = ledgerPublicKeyHex;
    }

    /**
     * Verifies a bundle in itself, against the trusted key. The coinbase in the report must still be compared with the
     * chain's.
     *
     * @param bundle the bundle
     * @return what was found
     * @throws PayoutRuleException with the contract text of the first check that fails
     */
    public VerificationReport verify(AuditBundle bundle) {
        require(bundle.schema().equals(AuditBundle.schemaFor(bundle.shares())), "schema");
        checkAttestation(bundle);
        CoinbaseManifest manifest = bundle.signedCoinbaseManifest().manifest();
        byte[] manifestBytes = manifest.canonicalBytes();
        signed(() -> SignatureVerifier.verify(
                manifestBytes, bundle.signedCoinbaseManifest().signature()));
        RewardManifest reward = RewardManifest.of(RewardWindow.of(bundle.shares(), bundle.foundBlock()));
        require(reward.sameAs(bundle.rewardManifest()), "reward_manifest");
        require(recomputedPolicy(bundle, reward).equals(bundle.payoutPolicyManifest()), "payout_policy_manifest");
        checkOutputPolicy(bundle);
        bundle.settlementModeDecision().ifPresent(decision -> checkSettlement(bundle, decision));
        byte[] rewardSha256 = reward.sha256();
        byte[] policySha256 = bundle.payoutPolicyManifest().sha256();
        String leaf = AuditCommitments.prismLeafHex(rewardSha256, policySha256);
        String root = checkCommitments(bundle, leaf);
        checkCoinbase(bundle, root);
        return VerificationReport.of(
                bundle,
                new VerificationReport.Hashes(
                        Hex.encode(rewardSha256),
                        Hex.encode(policySha256),
                        leaf,
                        root,
                        Sha256.hex(manifestBytes),
                        bundle.sha256Hex()));
    }

    /**
     * Compares a verified bundle with the chain.
     *
     * @param report what {@link #verify} found
     * @param coinbaseTxHex the coinbase transaction on the chain, hexadecimal text; case and surrounding space don't matter
     * @param expectedValueSats subsidy and fees of the block, unsigned 64 bits; empty if unknown
     * @throws PayoutRuleException with the contract text if they differ
     */
    public static void compareWithChain(
            VerificationReport report, String coinbaseTxHex, OptionalLong expectedValueSats) {
        if (!Hex.equalsIgnoringAsciiCase(coinbaseTxHex.strip(), report.coinbaseTxHex())) {
            throw new PayoutRuleException("on-chain coinbase tx hex does not match the audit bundle");
        }
        if (expectedValueSats.isPresent() && expectedValueSats.getAsLong() != report.coinbaseValueSats()) {
            throw new PayoutRuleException("expected coinbase value "
                    + Long.toUnsignedString(expectedValueSats.getAsLong())
                    + " does not match audit bundle coinbase value "
                    + Long.toUnsignedString(report.coinbaseValueSats()));
        }
    }

    private void checkAttestation(AuditBundle bundle) {
        LedgerWindowAttestation attestation = bundle.ledgerWindowAttestation();
        require(attestation.schema().equals(LedgerWindowAttestation.SCHEMA), "ledger_attestation_schema");
        require(attestation.block().equals(bundle.foundBlock()), "ledger_attestation_scope");
        require(
                attestation
                        .shareSliceDigestHex()
                        .equals(bundle.rewardManifest().header().shareSliceDigestHex()),
                "ledger_attestation_share_digest");
        require(
                attestation.priorBalancesDigestHex().equals(PriorBalance.digestHex(bundle.priorBalances())),
                "ledger_attestation_prior_digest");
        ManifestSignature signature = attestation.signature();
        require(
                Hex.equalsIgnoringAsciiCase(signature.publicKeyHex(), ledgerPublicKeyHex),
                "ledger_attestation_public_key");
        require(signature.algorithm().equals(ManifestSignature.ED25519), "ledger_attestation_signature");
        signed(() -> SignatureVerifier.verify(attestation.signedBytes(), signature));
    }

    private static PayoutPolicyManifest recomputedPolicy(AuditBundle bundle, RewardManifest reward) {
        PayoutPolicyManifest policy = PayoutPolicyManifest.of(
                bundle.foundBlock(), reward.entitlements(), bundle.priorBalances(), bundle.payoutPolicy());
        Optional<SettlementDecision> decision = bundle.settlementModeDecision();
        Optional<FanoutFeePolicy> feePolicy = bundle.ctvFanoutFeePolicy();
        return decision.isEmpty() || feePolicy.isEmpty()
                ? policy
                : FanoutSettlement.withFees(policy, decision.get(), feePolicy.get());
    }

    private static void checkOutputPolicy(AuditBundle bundle) {
        PayoutPolicyManifest policy = bundle.payoutPolicyManifest();
        if (!policy.pinsPoolFee()) {
            return;
        }
        PoolFee fee = policy.poolFee().orElseThrow();
        List<CoinbaseOutput> outputs =
                bundle.signedCoinbaseManifest().manifest().outputs();
        require(
                !outputs.isEmpty()
                        && sameAccount(outputs.get(0).identity(), fee.identity())
                        && outputs.get(0).amountSats() == fee.amountSats(),
                "coinbase_output_policy");
        bundle.settlementModeDecision().ifPresent(decision -> {
            boolean direct =
                    decision.directRecipients().stream().anyMatch(each -> sameAccount(each.identity(), fee.identity()));
            boolean chunked = decision.fanoutChunks().stream()
                    .flatMap(chunk -> chunk.recipients().stream())
                    .anyMatch(each -> sameAccount(each.identity(), fee.identity()));
            require(direct && !chunked, "coinbase_output_policy");
        });
    }

    private static boolean sameAccount(PayoutIdentity a, PayoutIdentity b) {
        return a.recipientId().equals(b.recipientId())
                && a.orderKey().equals(b.orderKey())
                && a.programKey().equals(b.programKey());
    }

    private static void checkSettlement(AuditBundle bundle, SettlementDecision decision) {
        Optional<FanoutManifestSet> set = bundle.ctvFanoutManifestSet();
        if (decision.fanoutChunkCount() == 0) {
            require(set.isEmpty(), "unexpected_ctv_fanout_manifest_set");
        } else {
            checkSet(bundle, decision, set.orElseThrow(() -> mismatch("ctv_fanout_manifest_set")));
        }
        SettlementCoverage.check(bundle.payoutPolicyManifest(), decision, set);
    }

    private static void checkSet(AuditBundle bundle, SettlementDecision decision, FanoutManifestSet set) {
        set.verify();
        CoinbaseManifest coinbase = bundle.signedCoinbaseManifest().manifest();
        require(set.parentCoinbaseTxid().equals(coinbase.coinbaseTxid()), "ctv_fanout_parent_coinbase");
        require(set.settlementMode() == decision.mode(), "ctv_fanout_settlement_mode");
        require(set.fanoutCount() == decision.fanoutChunkCount(), "ctv_fanout_chunk_count");
        for (FanoutManifest manifest : set.manifests()) {
            require(manifest.parentCoinbaseTxHex().equals(coinbase.coinbaseTxHex()), "ctv_fanout_parent_coinbase_tx");
            boolean committed = bundle.auditCommitmentLeavesHex().stream()
                    .anyMatch(leaf -> Hex.equalsIgnoringAsciiCase(leaf, manifest.commitmentWitnessLeafHex()));
            if (!committed) {
                throw new PayoutRuleException(
                        "invalid CTV fanout manifest: fanout precommitment witness leaf is missing");
            }
        }
    }

    private static String checkCommitments(AuditBundle bundle, String prismLeafHex) {
        List<String> expected = new ArrayList<>();
        expected.add(prismLeafHex);
        bundle.ctvFanoutManifestSet()
                .ifPresent(
                        set -> set.manifests().forEach(manifest -> expected.add(manifest.commitmentWitnessLeafHex())));
        List<String> stated = bundle.auditCommitmentLeavesHex();
        require(stated.size() == expected.size(), "audit_commitment_leaves");
        for (int i = 0; i < expected.size(); i++) {
            require(Hex.equalsIgnoringAsciiCase(stated.get(i), expected.get(i)), "audit_commitment_leaves");
        }
        String root = AuditCommitments.rootHex(expected);
        boolean rootHolds = bundle.auditCommitmentRootHex()
                .filter(each -> Hex.equalsIgnoringAsciiCase(each, root))
                .isPresent();
        require(rootHolds, "audit_commitment_root");
        return root;
    }

    private static void checkCoinbase(AuditBundle bundle, String rootHex) {
        List<FanoutPrecommitment> precommitments = bundle.ctvFanoutManifestSet().stream()
                .flatMap(set -> set.manifests().stream())
                .map(FanoutManifest::precommitment)
                .toList();
        List<WeightedEntitlement> entitlements = bundle.settlementModeDecision()
                .map(decision -> FanoutSettlement.coinbaseEntitlements(decision, precommitments))
                .orElseGet(() -> bundle.payoutPolicyManifest().onchainEntitlements());
        CoinbaseManifest rebuilt = BundleBuild.coinbase(
                bundle.foundBlock(),
                entitlements,
                rootHex,
                bundle.witnessMerkleLeavesHex(),
                bundle.coinbaseScriptSigSuffixHex(),
                bundle.payoutPolicyManifest());
        require(rebuilt.equals(bundle.signedCoinbaseManifest().manifest()), "coinbase_manifest");
    }

    private static void signed(Runnable check) {
        try {
            check.run();
        } catch (PayoutRuleException e) {
            throw new PayoutRuleException("builder failed: " + e.reason());
        }
    }

    private static void require(boolean holds, String artifact) {
        if (!holds) {
            throw mismatch(artifact);
        }
    }

    static PayoutRuleException mismatch(String artifact) {
        return new PayoutRuleException("audit bundle mismatch in " + artifact);
    }
}
