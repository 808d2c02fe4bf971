package org.prismpool.payout.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.coinbase.CoinbaseBuildRequest;
import org.prismpool.payout.coinbase.CoinbaseBuilder;
import org.prismpool.payout.coinbase.CoinbaseManifest;
import org.prismpool.payout.coinbase.CoinbaseOutput;
import org.prismpool.payout.coinbase.SignedCoinbaseManifest;
import org.prismpool.payout.ctv.CtvSettlement;
import org.prismpool.payout.ctv.FanoutContext;
import org.prismpool.payout.ctv.FanoutFeePolicy;
import org.prismpool.payout.ctv.FanoutManifest;
import org.prismpool.payout.ctv.FanoutManifestSet;
import org.prismpool.payout.ctv.FanoutPrecommitment;
import org.prismpool.payout.ctv.FanoutSettlement;
import org.prismpool.payout.ctv.SettlementDecision;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.reward.PayoutPolicyManifest;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.payout.reward.RewardManifest;
import org.prismpool.payout.signing.ManifestSigner;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.payout.window.RewardWindow;
import org.prismpool.payout.window.WeightedEntitlement;
import org.prismpool.payout.window.WindowShare;

/** One build, stage by stage in the order that decides which error wins (payout specification 1). For one thread. */
final class BundleBuild {

    private final BlockTerms terms;
    private final BuildObserver observer;
    private @Nullable RewardManifest reward;
    private @Nullable LedgerWindowAttestation attestation;
    private @Nullable PayoutPolicyManifest policy;
    private Optional<SettlementDecision> decision = Optional.empty();
    private @Nullable FanoutContext fanoutContext;
    private List<FanoutPrecommitment> precommitments = List.of();
    private List<String> leavesHex = List.of();
    private @Nullable String rootHex;
    private @Nullable SignedCoinbaseManifest coinbase;
    private Optional<FanoutManifestSet> manifestSet = Optional.empty();

    BundleBuild(BlockTerms terms, BuildObserver observer) {
        this.terms = terms;
        this.observer = observer;
    }

    BundleBuild window(List<WindowShare> shares) {
        reward = timed(
                BuildPhase.PAYOUT_STATE_DERIVATION,
                () -> RewardManifest.of(RewardWindow.of(shares, terms.foundBlock()), observer::checkpoint));
        return this;
    }

    BundleBuild window(RewardWindow window) {
        reward = timed(
                BuildPhase.PAYOUT_STATE_DERIVATION,
                () -> RewardManifest.of(window.forBlock(terms.foundBlock()), observer::checkpoint));
        return this;
    }

    BundleBuild attest(ManifestSigner ledgerSigner) {
        attestation = timed(
                BuildPhase.SIGNING_VERIFICATION,
                () -> LedgerWindowAttestation.sign(
                        terms.foundBlock(),
                        reward().header().shareSliceDigestHex(),
                        PriorBalance.digestHex(terms.priorBalances()),
                        ledgerSigner));
        return this;
    }

    BundleBuild derive() {
        byte[] rewardSha256;
        byte[] policySha256;
        if (reward().shares().size() < RewardWindow.LARGE) {
            policy = timed(BuildPhase.PAYOUT_STATE_DERIVATION, this::derivePolicy);
            rewardSha256 = rewardSha256();
            policySha256 = policy().sha256();
        } else { // the policy needs the sums of the window, not the hash that takes longest
            Beside<byte[]> policyAndHash = Beside.start("prism-payout-policy", this::deriveAndHashPolicy);
            try {
                rewardSha256 = rewardSha256();
            } finally {
                policyAndHash.await();
            }
            policySha256 = timed(BuildPhase.PAYOUT_STATE_DERIVATION, policyAndHash::result);
        }
        if (decision.filter(each -> !each.fanoutChunks().isEmpty()).isPresent()) {
            precommitments =
                    timed(BuildPhase.CTV_MANIFEST_CONSTRUCTION, () -> precommitments(rewardSha256, policySha256));
        }
        List<String> leaves = new ArrayList<>();
        leaves.add(AuditCommitments.prismLeafHex(rewardSha256, policySha256));
        precommitments.forEach(each -> leaves.add(each.commitmentLeafHex()));
        leavesHex = leaves;
        rootHex = AuditCommitments.rootHex(leaves);
        return this;
    }

    private byte[] rewardSha256() {
        return timed(BuildPhase.COINBASE_BUNDLE_CONSTRUCTION, () -> reward().sha256(observer::checkpoint));
    }

    private byte[] deriveAndHashPolicy() {
        PayoutPolicyManifest derived = derivePolicy();
        policy = derived;
        return derived.sha256();
    }

    BundleBuild coinbase(ManifestSigner signer) {
        CoinbaseManifest manifest = timed(BuildPhase.COINBASE_BUNDLE_CONSTRUCTION, this::buildCoinbase);
        coinbase = timed(BuildPhase.SIGNING_VERIFICATION, () -> SignedCoinbaseManifest.sign(manifest, signer));
        if (!precommitments.isEmpty()) {
            manifestSet = Optional.of(timed(BuildPhase.CTV_MANIFEST_CONSTRUCTION, () -> manifestSet(manifest)));
        }
        return this;
    }

    JobSummary summary() {
        return new JobSummary(terms.foundBlock(), Objects.requireNonNull(coinbase), policy());
    }

    AuditBundle bundle(List<WindowShare> shares) {
        return new AuditBundle(
                AuditBundle.schemaFor(shares),
                shares,
                terms.foundBlock(),
                terms.priorBalances(),
                terms.payoutPolicy(),
                terms.coinbaseScriptSigSuffixHex(),
                terms.witnessMerkleLeavesHex(),
                leavesHex,
                Optional.of(Objects.requireNonNull(rootHex)),
                Objects.requireNonNull(attestation),
                reward(),
                policy(),
                decision,
                feePolicy(),
                manifestSet,
                Objects.requireNonNull(coinbase));
    }

    private PayoutPolicyManifest derivePolicy() {
        PayoutPolicyManifest manifest = PayoutPolicyManifest.of(
                terms.foundBlock(), reward().entitlements(), terms.priorBalances(), terms.payoutPolicy());
        if (terms.ctvSettlement().isEmpty()) {
            return manifest;
        }
        SettlementDecision decided =
                FanoutSettlement.decide(manifest, terms.ctvSettlement().get());
        decision = Optional.of(decided);
        return feePolicy()
                .map(policy -> FanoutSettlement.withFees(manifest, decided, policy))
                .orElse(manifest);
    }

    private List<FanoutPrecommitment> precommitments(byte[] rewardSha256, byte[] policySha256) {
        FoundBlock block = terms.foundBlock();
        SettlementDecision decided = decision.orElseThrow();
        FanoutContext context = new FanoutContext(
                block.blockHeight(),
                decided.fanoutChunks().size(),
                block.coinbaseValueSats(),
                decided.mode(),
                Hex.encode(rewardSha256),
                Hex.encode(policySha256));
        fanoutContext = context;
        return FanoutSettlement.precommitments(context, decided, feePolicy(), policy().minOutputSats());
    }

    private CoinbaseManifest buildCoinbase() {
        List<WeightedEntitlement> entitlements = decision.map(
                        decided -> FanoutSettlement.coinbaseEntitlements(decided, precommitments))
                .orElseGet(() -> policy().onchainEntitlements());
        return coinbase(
                terms.foundBlock(),
                entitlements,
                Objects.requireNonNull(rootHex),
                terms.witnessMerkleLeavesHex(),
                terms.coinbaseScriptSigSuffixHex(),
                policy());
    }

    /** Builds a coinbase; errors of the builder get the prefix that bundles report them with. */
    static CoinbaseManifest coinbase(
            FoundBlock block,
            List<WeightedEntitlement> entitlements,
            String rootHex,
            List<String> witnessLeavesHex,
            Optional<String> suffixHex,
            PayoutPolicyManifest policy) {
        try {
            return CoinbaseBuilder.build(new CoinbaseBuildRequest(
                    block.blockHeight(),
                    block.coinbaseValueSats(),
                    entitlements,
                    Optional.of(rootHex),
                    witnessLeavesHex,
                    suffixHex,
                    FanoutSettlement.pinned(policy)));
        } catch (PayoutRuleException e) {
            throw new PayoutRuleException("builder failed: " + e.reason());
        }
    }

    private FanoutManifestSet manifestSet(CoinbaseManifest manifest) {
        List<FanoutManifest> manifests = new ArrayList<>();
        for (FanoutPrecommitment each : precommitments) {
            manifests.add(FanoutManifest.of(
                    each,
                    new FanoutManifest.Parent(
                            manifest.coinbaseTxid(), manifest.coinbaseTxHex(), covenantVout(manifest, each))));
        }
        return FanoutManifestSet.of(Objects.requireNonNull(fanoutContext), manifest.coinbaseTxid(), manifests);
    }

    private static long covenantVout(CoinbaseManifest manifest, FanoutPrecommitment precommitment) {
        for (CoinbaseOutput output : manifest.outputs()) {
            if (output.amountSats() == precommitment.covenantOutputValueSats()
                    && output.identity().equals(precommitment.covenantIdentity())) {
                return output.vout();
            }
        }
        throw new PayoutRuleException("audit bundle mismatch in ctv_coinbase_output");
    }

    private Optional<FanoutFeePolicy> feePolicy() {
        return terms.ctvSettlement().flatMap(CtvSettlement::fanoutFeeRatePolicy);
    }

    private RewardManifest reward() {
        return Objects.requireNonNull(reward);
    }

    private PayoutPolicyManifest policy() {
        return Objects.requireNonNull(policy);
    }

    private <T> T timed(BuildPhase phase, Supplier<T> part) {
        observer.phaseBegan(phase);
        T result = part.get();
        observer.phaseEnded(phase);
        return result;
    }
}
