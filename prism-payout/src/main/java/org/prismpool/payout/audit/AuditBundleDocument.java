package org.prismpool.payout.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.coinbase.SignedCoinbaseManifest;
import org.prismpool.payout.ctv.FanoutFeePolicy;
import org.prismpool.payout.ctv.FanoutManifestSet;
import org.prismpool.payout.ctv.SettlementDecision;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.reward.PayoutPolicy;
import org.prismpool.payout.reward.PayoutPolicyManifest;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.payout.reward.RewardManifest;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.IdentityPool;
import org.prismpool.payout.window.WindowShare;

/** Names and order of the members of an audit bundle, with or without its shares. */
final class AuditBundleDocument {

    private static final Name SCHEMA = Name.of("schema");
    private static final Name SHARES = Name.of("shares");
    private static final Name FOUND_BLOCK = Name.of("found_block");
    private static final Name PRIOR_BALANCES = Name.of("prior_balances");
    private static final Name PAYOUT_POLICY = Name.of("payout_policy");
    private static final Name SUFFIX = Name.of("coinbase_script_sig_suffix_hex");
    private static final Name WITNESS_LEAVES = Name.of("witness_merkle_leaves_hex");
    private static final Name COMMITMENT_LEAVES = Name.of("audit_commitment_leaves_hex");
    private static final Name COMMITMENT_ROOT = Name.of("audit_commitment_root_hex");
    private static final Name ATTESTATION = Name.of("ledger_window_attestation");
    private static final Name REWARD_MANIFEST = Name.of("reward_manifest");
    private static final Name POLICY_MANIFEST = Name.of("payout_policy_manifest");
    private static final Name DECISION = Name.of("settlement_mode_decision");
    private static final Name FEE_POLICY = Name.of("ctv_fanout_fee_policy");
    private static final Name MANIFEST_SET = Name.of("ctv_fanout_manifest_set");
    private static final Name SIGNED_COINBASE = Name.of("signed_coinbase_manifest");
    private static final ObjectShape WITH_SHARES = ObjectShape.required(
                    SCHEMA,
                    SHARES,
                    FOUND_BLOCK,
                    PRIOR_BALANCES,
                    PAYOUT_POLICY,
                    SUFFIX,
                    WITNESS_LEAVES,
                    COMMITMENT_LEAVES,
                    COMMITMENT_ROOT,
                    ATTESTATION,
                    REWARD_MANIFEST,
                    POLICY_MANIFEST,
                    DECISION,
                    FEE_POLICY,
                    MANIFEST_SET,
                    SIGNED_COINBASE)
            .except(SUFFIX, WITNESS_LEAVES, COMMITMENT_LEAVES, COMMITMENT_ROOT, DECISION, FEE_POLICY, MANIFEST_SET);
    private static final ObjectShape WITHOUT_SHARES = WITH_SHARES.except(SHARES);

    private AuditBundleDocument() {}

    static void write(CanonicalWriter out, AuditBundle bundle, boolean withShares) {
        out.beginObject();
        out.member(SCHEMA, bundle.schema());
        if (withShares) {
            out.members(SHARES, bundle.shares(), each -> each.write(out));
        }
        object(out, FOUND_BLOCK, () -> bundle.foundBlock().write(out));
        out.members(PRIOR_BALANCES, bundle.priorBalances(), each -> each.write(out));
        object(out, PAYOUT_POLICY, () -> bundle.payoutPolicy().write(out));
        bundle.coinbaseScriptSigSuffixHex().ifPresent(suffix -> out.member(SUFFIX, suffix));
        texts(out, WITNESS_LEAVES, bundle.witnessMerkleLeavesHex());
        texts(out, COMMITMENT_LEAVES, bundle.auditCommitmentLeavesHex());
        bundle.auditCommitmentRootHex().ifPresent(root -> out.member(COMMITMENT_ROOT, root));
        object(out, ATTESTATION, () -> bundle.ledgerWindowAttestation().write(out));
        object(out, REWARD_MANIFEST, () -> bundle.rewardManifest().write(out));
        object(out, POLICY_MANIFEST, () -> bundle.payoutPolicyManifest().write(out));
        bundle.settlementModeDecision().ifPresent(decision -> object(out, DECISION, () -> decision.write(out)));
        bundle.ctvFanoutFeePolicy().ifPresent(policy -> object(out, FEE_POLICY, () -> policy.write(out)));
        bundle.ctvFanoutManifestSet().ifPresent(set -> object(out, MANIFEST_SET, () -> set.write(out)));
        object(out, SIGNED_COINBASE, () -> bundle.signedCoinbaseManifest().write(out));
        out.endObject();
    }

    private static void object(CanonicalWriter out, Name name, Runnable value) {
        out.name(name);
        value.run();
    }

    private static void texts(CanonicalWriter out, Name name, List<String> values) {
        if (!values.isEmpty()) {
            out.members(name, values, out::text);
        }
    }

    static AuditBundle read(ExactReader in, boolean withShares) {
        return new Members().read(in, withShares ? WITH_SHARES : WITHOUT_SHARES);
    }

    /** Reads a bundle whose kind is decided by a member that was read before: the rest of the open object. */
    private static final class Members {

        private final IdentityPool pool = new IdentityPool();
        private final List<WindowShare> shares = new ArrayList<>();
        private final List<PriorBalance> priorBalances = new ArrayList<>();
        private final List<String> witnessLeaves = new ArrayList<>();
        private final List<String> commitmentLeaves = new ArrayList<>();
        private String schema = "";
        private FoundBlock foundBlock = new FoundBlock(0, 0, U128.ZERO, 0);
        private PayoutPolicy policy = PayoutPolicy.DAY_ONE;
        private Optional<String> suffix = Optional.empty();
        private Optional<String> commitmentRoot = Optional.empty();
        private @Nullable LedgerWindowAttestation attestation;
        private @Nullable RewardManifest rewardManifest;
        private @Nullable PayoutPolicyManifest policyManifest;
        private Optional<SettlementDecision> decision = Optional.empty();
        private Optional<FanoutFeePolicy> feePolicy = Optional.empty();
        private Optional<FanoutManifestSet> manifestSet = Optional.empty();
        private @Nullable SignedCoinbaseManifest signedCoinbase;

        AuditBundle read(ExactReader in, ObjectShape shape) {
            ObjectCursor member = in.object(shape);
            while (member.next()) {
                readMember(member.name(), in);
            }
            // The cursor has reported a missing mandatory member before this point.
            return new AuditBundle(
                    schema,
                    shares,
                    foundBlock,
                    priorBalances,
                    policy,
                    suffix,
                    witnessLeaves,
                    commitmentLeaves,
                    commitmentRoot,
                    Objects.requireNonNull(attestation),
                    Objects.requireNonNull(rewardManifest),
                    Objects.requireNonNull(policyManifest),
                    decision,
                    feePolicy,
                    manifestSet,
                    Objects.requireNonNull(signedCoinbase));
        }

        private void readMember(String name, ExactReader in) {
            switch (name) {
                case "schema" -> schema = in.text();
                case "shares" -> {
                    in.array();
                    while (in.hasElement()) {
                        shares.add(WindowShare.read(in, pool));
                    }
                }
                case "found_block" -> foundBlock = FoundBlock.read(in);
                case "prior_balances" -> {
                    in.array();
                    while (in.hasElement()) {
                        priorBalances.add(PriorBalance.read(in));
                    }
                }
                case "payout_policy" -> policy = PayoutPolicy.read(in);
                case "coinbase_script_sig_suffix_hex" -> suffix = in.optional(in::text);
                case "witness_merkle_leaves_hex" -> readTexts(in, witnessLeaves);
                case "audit_commitment_leaves_hex" -> readTexts(in, commitmentLeaves);
                case "audit_commitment_root_hex" -> commitmentRoot = in.optional(in::text);
                case "ledger_window_attestation" -> attestation = LedgerWindowAttestation.read(in);
                case "reward_manifest" -> rewardManifest = RewardManifest.read(in, pool);
                case "payout_policy_manifest" -> policyManifest = PayoutPolicyManifest.read(in);
                case "settlement_mode_decision" -> decision = in.optional(() -> SettlementDecision.read(in));
                case "ctv_fanout_fee_policy" -> feePolicy = in.optional(() -> FanoutFeePolicy.read(in));
                case "ctv_fanout_manifest_set" -> manifestSet = in.optional(() -> FanoutManifestSet.read(in));
                default -> signedCoinbase = SignedCoinbaseManifest.read(in);
            }
        }

        private static void readTexts(ExactReader in, List<String> texts) {
            in.array();
            while (in.hasElement()) {
                texts.add(in.text());
            }
        }
    }
}
