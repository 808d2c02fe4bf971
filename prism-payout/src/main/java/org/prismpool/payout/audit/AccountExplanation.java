package org.prismpool.payout.audit;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import org.prismpool.payout.coinbase.CoinbaseManifest;
import org.prismpool.payout.coinbase.CoinbaseOutput;
import org.prismpool.payout.ctv.FanoutManifest;
import org.prismpool.payout.ctv.FanoutOutput;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.reward.MaturityEntry;
import org.prismpool.payout.reward.PayoutAccount;
import org.prismpool.payout.reward.PayoutPolicyManifest;
import org.prismpool.payout.reward.PoolFee;
import org.prismpool.payout.reward.RewardManifest;

/** Puts the explanation of one account together, from work to payment. For one thread. */
final class AccountExplanation {

    private final AuditBundle bundle;
    private final PayoutPolicyManifest policy;
    private final PayoutAccount account;
    private final List<String> lines = new ArrayList<>();

    AccountExplanation(AuditBundle bundle, PayoutAccount account) {
        this.bundle = bundle;
        this.policy = bundle.payoutPolicyManifest();
        this.account = account;
    }

    List<String> compose() {
        lines.add("Block " + Long.toUnsignedString(policy.blockHeight()) + " pays " + sats(policy.coinbaseValueSats())
                + " in total.");
        lines.add("Recipient " + account.identity().recipientId() + ", program "
                + account.identity().programHex() + ".");
        if (account.type() == PayoutAccount.AccountType.POOL_FEE) {
            policy.poolFee().ifPresent(this::explainPool);
        } else {
            ShareStanding standing = ShareStanding.of(bundle, account.identity().programKey());
            explainWork(standing);
            explainShare(standing.work());
            explainBalance();
        }
        explainPayment();
        lines.add("These are the bundle's own figures; the verifier proves them against the chain.");
        return lines;
    }

    private void explainPool(PoolFee fee) {
        lines.add("This is the pool: its fee of " + fee.feeBps() + " basis points is " + sats(fee.earnedPoolFeeSats())
                + ".");
        if (fee.sweptDustLiabilitySats() != 0) {
            lines.add("It also takes " + sats(fee.sweptDustLiabilitySats())
                    + " that could not be paid to miners in this block; the miners stay credited with it.");
        }
        if (account.onchainAmountSats() == 0) {
            lines.add("That is nothing, so it has no output.");
        }
    }

    private void explainWork(ShareStanding standing) {
        RewardManifest.Header reward = bundle.rewardManifest().header();
        lines.add("The window counts " + reward.countedWindowWeight() + " of work in "
                + Long.toUnsignedString(reward.includedShareCount()) + " shares, sequence "
                + Long.toUnsignedString(reward.oldestShareSeq()) + " to "
                + Long.toUnsignedString(reward.newestShareSeq()) + ".");
        if (reward.countedWindowWeight().compareTo(reward.requestedWindowWeight()) < 0) {
            lines.add("It is not full: " + reward.requestedWindowWeight()
                    + " would count, so every eligible share does.");
        }
        if (standing.work().signum() == 0) {
            lines.add("None of it is this recipient's.");
        } else {
            lines.add("Of it " + standing.work() + " is this recipient's, "
                    + percent(standing.work(), reward.countedWindowWeight().toBigInteger()) + ".");
        }
        lines.addAll(standing.lines());
    }

    private void explainShare(BigInteger work) {
        long earned = policy.poolFee().map(PoolFee::earnedPoolFeeSats).orElse(0L);
        lines.add("Its part of the reward" + (earned == 0 ? "" : " after the pool fee of " + sats(earned)) + " is "
                + sats(account.grossAmountSats()) + ".");
        BigInteger total =
                bundle.rewardManifest().header().countedWindowWeight().toBigInteger();
        BigInteger reward = unsigned(policy.coinbaseValueSats()).subtract(unsigned(earned));
        if (work.signum() > 0 && total.signum() > 0) {
            BigInteger exact = reward.multiply(work).divide(total);
            boolean extra = unsigned(account.grossAmountSats()).subtract(exact).equals(BigInteger.ONE);
            lines.add("That is " + reward + " × " + work + " / " + total + ", rounded down"
                    + (extra
                            ? ", and one more of the sats that rounding left over, as its remainder is among the largest."
                            : "."));
        }
    }

    private void explainBalance() {
        BigInteger prior = account.priorBalanceSats();
        if (prior.signum() > 0) {
            lines.add("It was owed " + prior + " sats from earlier blocks, so " + account.candidateBalanceSats()
                    + " sats are due.");
        } else if (prior.signum() < 0) {
            lines.add("It had been paid " + prior.negate() + " sats too much in earlier blocks, so "
                    + account.candidateBalanceSats() + " sats are due.");
        }
        String floor = sats(policy.minOutputSats()) + " (" + policy.floorFormula() + ")";
        boolean belowFloor = account.candidateBalanceSats().compareTo(unsigned(policy.minOutputSats())) < 0;
        if (account.action() == PayoutAccount.PayoutAction.ACCRUED) {
            lines.add("Nothing is paid by this block: "
                    + (belowFloor
                            ? "what is due is below the smallest payment of "
                            : "its part of this block would be below the smallest payment of ")
                    + floor + ".");
            if (policy.poolFee()
                    .filter(fee -> fee.sweptDustLiabilitySats() != 0)
                    .isPresent()) {
                lines.add("The pool's output carries what could not be paid in this block; that takes nothing from what"
                        + " is owed here.");
            }
        } else {
            lines.add("What is due reaches the smallest payment of " + floor + ".");
            if (account.carryForwardBalanceSats().signum() > 0) {
                lines.add(
                        "The block is shared among everyone who is due, in proportion to what is due, so this one gets "
                                + sats(account.onchainAmountSats()) + " now.");
            }
        }
        lines.add("Carried forward to the next block: " + account.carryForwardBalanceSats() + " sats.");
    }

    private void explainPayment() {
        if (account.onchainAmountSats() == 0) {
            return;
        }
        bundle.settlementModeDecision()
                .ifPresent(decision -> lines.add("How this block pays: " + decision.reason() + "."));
        String program = account.identity().programKey();
        CoinbaseManifest coinbase = bundle.signedCoinbaseManifest().manifest();
        for (CoinbaseOutput output : coinbase.outputs()) {
            if (output.identity().programKey().equals(program)) {
                lines.add("Paid by output " + output.vout() + " of the coinbase " + coinbase.coinbaseTxid() + ": "
                        + sats(output.amountSats()) + ", spendable " + MaturityEntry.COINBASE_MATURITY
                        + " blocks later.");
                return;
            }
        }
        bundle.ctvFanoutManifestSet()
                .ifPresent(set -> set.manifests().forEach(manifest -> explainFanout(manifest, program)));
    }

    private void explainFanout(FanoutManifest manifest, String program) {
        for (FanoutOutput output : manifest.precommitment().outputs()) {
            if (output.identity().programKey().equals(program)) {
                lines.add("Paid by output " + output.vout() + " of the fanout transaction " + manifest.fanoutTxid()
                        + ", which spends output " + manifest.parentCoinbaseVout() + " of the coinbase "
                        + manifest.parentCoinbaseTxid() + " once that is " + MaturityEntry.COINBASE_MATURITY
                        + " blocks deep: "
                        + sats(output.amountSats())
                        + (output.feeSats() == 0 ? "" : " after " + sats(output.feeSats()) + " of network fee")
                        + ".");
                lines.add("The block commits to that transaction, so nobody can pay it out differently.");
            }
        }
    }

    private static String percent(BigInteger part, BigInteger whole) {
        return new BigDecimal(part)
                        .movePointRight(2)
                        .divide(new BigDecimal(whole.max(BigInteger.ONE)), 4, RoundingMode.HALF_UP)
                        .stripTrailingZeros()
                        .toPlainString()
                + " %";
    }

    private static BigInteger unsigned(long value) {
        return U128.ofUnsigned(value).toBigInteger();
    }

    private static String sats(long value) {
        return Long.toUnsignedString(value) + " sats";
    }
}
