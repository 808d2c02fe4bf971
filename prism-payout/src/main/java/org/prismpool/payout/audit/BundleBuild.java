package org.prismpool.payout.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.coinbase.CoinbaseBuildRequest;
import org.prismpool.payout.coinbase.CoinbaseManifest;
import org.prismpool.payout.coinbase.CoinbaseOutput;
import org.prismpool.payout.coinbase.PreparedCoinbase;
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
import org.prismpool.payout.window.Beside;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.payout.window.RewardWindow;
import org.prismpool.payout.window.WeightedEntitlement;
import org.prismpool.payout.window.WindowShare;

/**
 * One build, stage by stage in the order that decides which error wins (payout specification 1). For one thread, which closes
 * it.
 */
final class BundleBuild implements AutoCloseable {

    private final BlockTerms terms;
    private final BuildObserver observer;
    private @Nullable RewardManifest reward;
    private @Nullable LedgerWindowAttestation attestation;
    private @Nullable Beside<Payouts> payoutsBeside; // of a large window: computed beside its hashes
    private @Nullable Payouts payouts;
    private @Nullable FanoutContext fanoutContext;
    private List<FanoutPrecommitment> precommitments = List.of();
    private List<String> leavesHex = List.of();
    private @Nullable String rootHex;
    private @Nullable SignedCoinbaseManifest coinbase;
    private Optional<FanoutManifestSet> manifestSet = Optional.empty();

    /**
     * Whom the block pays. Nothing of it needs the hashes of the window, which take longest.
     *
     * @param policy the payout policy manifest
     * @param policySha256 its hash
     * @param decision what is settled by fanouts, if they are wanted
     * @param coinbase the coinbase without its nonce, if no output depends on those hashes: there is no fanout
     */
    private record Payouts(
            PayoutPolicyManifest policy,
            byte[] policySha256,
            Optional<SettlementDecision> decision,
            Optional<PreparedCoinbase> coinbase) {}

    BundleBuild(BlockTerms terms, BuildObserver observer) {
        this.terms = terms;
        this.observer = observer;
    }

    BundleBuild window(List<WindowShare> shares) {
        return describe(() -> RewardWindow.of(shares, terms.foundBlock()));
    }

    BundleBuild window(RewardWindow window) {
        return describe(() -> window.forBlock(terms.foundBlock()));
    }

    private BundleBuild describe(Supplier<RewardWindow> selection) {
        reward = timed(BuildPhase.PAYOUT_STATE_DERIVATION, () -> {
            RewardWindow window = selection.get();
            if (window.shareCount() >= RewardWindow.LARGE) {
                payoutsBeside = Beside.start("prism-payout-policy", () -> payouts(window.entitlements()));
            }
            return RewardManifest.of(window, observer::checkpoint);
        });
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
        Beside<Payouts> beside = payoutsBeside;
        if (beside == null) {
            payouts = timed(BuildPhase.PAYOUT_STATE_DERIVATION, () -> payouts(reward().entitlements()));
            rewardSha256 = rewardSha256();
        } else {
            rewardSha256 = rewardSha256();
            payouts = timed(BuildPhase.PAYOUT_STATE_DERIVATION, beside::result);
        }
        if (hasFanouts(payouts().decision())) {
            byte[] policySha256 = payouts().policySha256();
            precommitments =
                    timed(BuildPhase.CTV_MANIFEST_CONSTRUCTION, () -> precommitments(rewardSha256, policySha256));
        }
        List<String> leaves = new ArrayList<>();
        leaves.add(AuditCommitments.prismLeafHex(rewardSha256, payouts().policySha256()));
        precommitments.forEach(each -> leaves.add(each.commitmentLeafHex()));
        leavesHex = leaves;
        rootHex = AuditCommitments.rootHex(leaves);
        return this;
    }

    private byte[] rewardSha256() {
        return timed(BuildPhase.COINBASE_BUNDLE_CONSTRUCTION, () -> reward().sha256(observer::checkpoint));
    }

    BundleBuild coinbase(ManifestSigner signer) {
        PreparedCoinbase prepared = payouts()
                .coinbase()
                .orElseGet(() -> timed(
                        BuildPhase.COINBASE_BUNDLE_CONSTRUCTION,
                        () -> prepared(
                                FanoutSettlement.coinbaseEntitlements(
                                        payouts().decision().orElseThrow(), precommitments),
                                policy())));
        String root = Objects.requireNonNull(rootHex);
        CoinbaseManifest manifest =
                timed(BuildPhase.COINBASE_BUNDLE_CONSTRUCTION, () -> built(() -> prepared.manifest(Optional.of(root))));
        coinbase = timed(BuildPhase.SIGNING_VERIFICATION, () -> prepared.sign(manifest, signer));
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
                payouts().decision(),
                feePolicy(),
                manifestSet,
                Objects.requireNonNull(coinbase));
    }

    /** Ends the thread beside a build that was given up. */
    @Override
    public void close() {
        if (payoutsBeside != null) {
            payoutsBeside.await();
        }
    }

    private Payouts payouts(List<WeightedEntitlement> entitlements) {
        PayoutPolicyManifest manifest =
                PayoutPolicyManifest.of(terms.foundBlock(), entitlements, terms.priorBalances(), terms.payoutPolicy());
        Optional<SettlementDecision> decision =
                terms.ctvSettlement().map(settlement -> FanoutSettlement.decide(manifest, settlement));
        PayoutPolicyManifest policy = decision.flatMap(
                        decided -> feePolicy().map(fees -> FanoutSettlement.withFees(manifest, decided, fees)))
                .orElse(manifest);
        byte[] sha256 = policy.sha256();
        if (hasFanouts(decision)) {
            return new Payouts(policy, sha256, decision, Optional.empty());
        }
        List<WeightedEntitlement> paid = decision.map(
                        decided -> FanoutSettlement.coinbaseEntitlements(decided, List.of()))
                .orElseGet(policy::onchainEntitlements);
        return new Payouts(
                policy, sha256, decision, Optional.of(prepared(paid, policy).withEncodedOutputs()));
    }

    private static boolean hasFanouts(Optional<SettlementDecision> decision) {
        return decision.filter(each -> !each.fanoutChunks().isEmpty()).isPresent();
    }

    private List<FanoutPrecommitment> precommitments(byte[] rewardSha256, byte[] policySha256) {
        FoundBlock block = terms.foundBlock();
        SettlementDecision decided = payouts().decision().orElseThrow();
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

    private PreparedCoinbase prepared(List<WeightedEntitlement> entitlements, PayoutPolicyManifest policy) {
        return prepared(
                terms.foundBlock(),
                entitlements,
                terms.witnessMerkleLeavesHex(),
                terms.coinbaseScriptSigSuffixHex(),
                policy);
    }

    /** Builds a coinbase; errors of the builder get the prefix that bundles report them with. */
    static CoinbaseManifest coinbase(
            FoundBlock block,
            List<WeightedEntitlement> entitlements,
            String rootHex,
            List<String> witnessLeavesHex,
            Optional<String> suffixHex,
            PayoutPolicyManifest policy) {
        PreparedCoinbase prepared = prepared(block, entitlements, witnessLeavesHex, suffixHex, policy);
        return built(() -> prepared.manifest(Optional.of(rootHex)));
    }

    private static PreparedCoinbase prepared(
            FoundBlock block,
            List<WeightedEntitlement> entitlements,
            List<String> witnessLeavesHex,
            Optional<String> suffixHex,
            PayoutPolicyManifest policy) {
        return built(() -> PreparedCoinbase.of(new CoinbaseBuildRequest(
                block.blockHeight(),
                block.coinbaseValueSats(),
                entitlements,
                Optional.empty(),
                witnessLeavesHex,
                suffixHex,
                FanoutSettlement.pinned(policy))));
    }

    private static <T> T built(Supplier<T> part) {
        try {
            return part.get();
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

    private Payouts payouts() {
        return Objects.requireNonNull(payouts);
    }

    private PayoutPolicyManifest policy() {
        return payouts().policy();
    }

    private <T> T timed(BuildPhase phase, Supplier<T> part) {
        observer.phaseBegan(phase);
        T result = part.get();
        observer.phaseEnded(phase);
        return result;
    }
}
