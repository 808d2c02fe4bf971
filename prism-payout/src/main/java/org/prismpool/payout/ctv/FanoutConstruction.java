package org.prismpool.payout.ctv;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.templates.chain.Hash256;

/** Builds precommitments (settlement specification 7 to 9 and 11.1). */
final class FanoutConstruction {

    /** From here on a lock time is a date, not a height (BIP 113 and earlier consensus). */
    private static final long LOCK_TIME_THRESHOLD = 500_000_000;

    private static final String OVERFLOW = "invalid CTV fanout manifest: fanout amount overflowed";
    private static final String CONTROL_BLOCK = "c1";

    private FanoutConstruction() {}

    static FanoutPrecommitment build(FanoutContext context, long chunkIndex, List<FanoutFee.Share> payouts) {
        return build(context, chunkIndex, payouts, Hash256.ZERO);
    }

    /** Builds with another template prevout, which changes the document's hash but not the covenant. */
    static FanoutPrecommitment build(
            FanoutContext context, long chunkIndex, List<FanoutFee.Share> payouts, Hash256 templatePrevout) {
        check(context, chunkIndex, payouts);
        List<FanoutFee.Share> ordered = ordered(payouts);
        long fee = 0;
        long sum = 0;
        List<FanoutOutput> outputs = new ArrayList<>(ordered.size());
        List<FanoutTransaction.Payout> bytes = new ArrayList<>(ordered.size());
        for (FanoutFee.Share each : ordered) {
            byte[] program =
                    CtvErrors.hash("payout p2mr_program_hex", each.identity().programHex());
            sum = CtvErrors.addExact(sum, each.netAmountSats(), OVERFLOW);
            fee = CtvErrors.addExact(fee, each.feeSats(), OVERFLOW);
            bytes.add(new FanoutTransaction.Payout(each.netAmountSats(), program));
            outputs.add(new FanoutOutput(
                    outputs.size(),
                    each.identity(),
                    Hex.encode(ScriptTree.outputScript(program)),
                    each.grossAmountSats(),
                    each.feeSats(),
                    each.netAmountSats()));
        }
        boolean anchored = fee == 0;
        long sequence = FanoutTransaction.SEQUENCE_BASE + chunkIndex;
        FanoutTransaction transaction = new FanoutTransaction(sequence, context.blockHeight(), bytes, anchored);
        String template = Hex.encode(transaction.template(templatePrevout, 0));
        byte[] ctvHash = CtvHash.of(template, 0);
        byte[] leaf = ScriptTree.ctvLeaf(ctvHash);
        byte[] program = ScriptTree.program(leaf, List.of());
        return new FanoutPrecommitment(
                FanoutPrecommitment.SCHEMA,
                context.blockHeight(),
                chunkIndex,
                context.chunkCount(),
                context.coinbaseValueSats(),
                context.settlementMode(),
                CtvErrors.addExact(sum, fee, OVERFLOW),
                Hex.encode(ScriptTree.outputScript(program)),
                template,
                0,
                sequence,
                context.blockHeight(),
                sum,
                fee,
                anchored ? Optional.of((long) outputs.size()) : Optional.empty(),
                Hex.encode(ctvHash),
                Hex.encode(leaf),
                Hex.encode(program),
                CONTROL_BLOCK,
                manifestHash("reward_manifest_sha256_hex", context.rewardManifestSha256Hex()),
                manifestHash("payout_policy_manifest_sha256_hex", context.payoutPolicyManifestSha256Hex()),
                outputs);
    }

    private static String manifestHash(String field, String hex) {
        return Hex.encode(CtvErrors.hash(field, hex));
    }

    private static void check(FanoutContext context, long chunkIndex, List<FanoutFee.Share> payouts) {
        CtvErrors.require(
                context.blockHeight() >= 0 && context.blockHeight() < LOCK_TIME_THRESHOLD,
                "block height must fit fanout lock_time");
        CtvErrors.require(
                context.settlementMode() != SettlementMode.DIRECT_COINBASE,
                "direct_coinbase mode cannot include a CTV fanout precommitment");
        CtvErrors.require(context.chunkCount() > 0, "fanout chunk_count must be positive");
        CtvErrors.require(chunkIndex < context.chunkCount(), "fanout chunk_index must be less than chunk_count");
        CtvErrors.require(chunkIndex < FanoutTransaction.SEQUENCE_BASE, "fanout sequence overflowed");
        CtvErrors.require(!payouts.isEmpty(), "fanout must have at least one payout");
    }

    private static List<FanoutFee.Share> ordered(List<FanoutFee.Share> payouts) {
        List<FanoutFee.Share> ordered = new ArrayList<>(payouts.size());
        for (FanoutFee.Share each : payouts) {
            CtvErrors.require(each.netAmountSats() != 0, "fanout payout amount must be positive");
            CtvErrors.require(
                    CtvErrors.unsigned(each.netAmountSats())
                            .add(CtvErrors.unsigned(each.feeSats()))
                            .equals(CtvErrors.unsigned(each.grossAmountSats())),
                    "fanout payout gross amount must equal amount plus fee");
            PayoutIdentity lower =
                    each.identity().withProgramHex(each.identity().programKey());
            ordered.add(new FanoutFee.Share(lower, each.grossAmountSats(), each.feeSats(), each.netAmountSats()));
        }
        ordered.sort((a, b) -> PayoutIdentity.ACCOUNT_ORDER.compare(a.identity(), b.identity()));
        for (int i = 1; i < ordered.size(); i++) {
            CtvErrors.require(
                    !ordered.get(i - 1).identity().equals(ordered.get(i).identity()),
                    "duplicate fanout payout recipient");
        }
        return ordered;
    }
}
