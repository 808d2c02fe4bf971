package org.prismpool.payout.audit;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.coinbase.CoinbaseOutput;
import org.prismpool.payout.ctv.FanoutManifest;
import org.prismpool.payout.ctv.FanoutManifestSet;
import org.prismpool.payout.ctv.FanoutOutput;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.reward.PayoutAccount;
import org.prismpool.payout.reward.PayoutPolicyManifest;
import org.prismpool.payout.reward.PoolFee;
import org.prismpool.payout.reward.RewardManifest;
import org.prismpool.payout.window.WeightedEntitlement;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;

/**
 * Says in words why a recipient got what it got, from the figures of a bundle. It explains what the bundle states; whether
 * that is true is the question of {@link AuditVerifier}.
 */
public final class PayoutExplanation {

    private final AuditBundle bundle;
    private final PayoutAccount account;
    private final List<String> lines = new ArrayList<>();

    private PayoutExplanation(AuditBundle bundle, PayoutAccount account) {
        this.bundle = bundle;
        this.account = account;
    }

    /**
     * Explains the payout of one recipient.
     *
     * @param bundle the bundle
     * @param recipient a payout address of any network, a program in hexadecimal text, or a recipient id
     * @return the lines of the explanation, or empty if the block has no such recipient
     */
    public static Optional<List<String>> explain(AuditBundle bundle, String recipient) {
        return find(bundle, recipient).map(account -> new PayoutExplanation(bundle, account).compose());
    }

    private static Optional<PayoutAccount> find(AuditBundle bundle, String recipient) {
        String program = programOf(recipient);
        List<PayoutAccount> accounts = bundle.payoutPolicyManifest().accounts();
        return accounts.stream()
                .filter(each -> program.equals(each.identity().programKey()))
                .findFirst()
                .or(() -> accounts.stream()
                        .filter(each -> each.identity().recipientId().equals(recipient))
                        .findFirst());
    }

    private static String programOf(String recipient) {
        for (Network network : Network.values()) {
            Optional<P2mrAddress> address = P2mrAddress.decode(network, recipient);
            if (address.isPresent()) {
                return address.get().programHex();
            }
        }
        return Hex.asciiLowerCase(recipient);
    }

    private List<String> compose() {
        PayoutPolicyManifest policy = bundle.payoutPolicyManifest();
        lines.add("Block " + Long.toUnsignedString(policy.blockHeight()) + " pays " + sats(policy.coinbaseValueSats())
                + " in total.");
        lines.add("Recipient " + account.identity().recipientId() + ", program "
                + account.identity().programHex() + ".");
        if (account.type() == PayoutAccount.AccountType.POOL_FEE) {
            explainPool(policy.poolFee());
        } else {
            explainWork();
            explainBalance(policy);
        }
        explainPayment();
        return List.copyOf(lines);
    }

    private void explainPool(@Nullable PoolFee fee) {
        if (fee == null) {
            return;
        }
        lines.add("This is the pool: its fee of " + fee.feeBps() + " basis points is " + sats(fee.earnedPoolFeeSats())
                + ".");
        if (fee.sweptDustLiabilitySats() != 0) {
            lines.add("It also takes " + sats(fee.sweptDustLiabilitySats())
                    + " that could not be paid to miners in this block; the miners stay credited with it.");
        }
    }

    private void explainWork() {
        RewardManifest reward = bundle.rewardManifest();
        BigInteger work = BigInteger.ZERO;
        for (WeightedEntitlement each : reward.entitlements()) {
            if (each.identity().programKey().equals(account.identity().programKey())) {
                work = work.add(each.weight().toBigInteger());
            }
        }
        BigInteger total = reward.header().countedWindowWeight().toBigInteger();
        lines.add("The window counts " + reward.header().countedWindowWeight() + " of work in "
                + Long.toUnsignedString(reward.header().includedShareCount()) + " shares, sequence "
                + Long.toUnsignedString(reward.header().oldestShareSeq()) + " to "
                + Long.toUnsignedString(reward.header().newestShareSeq()) + ".");
        if (work.signum() == 0) {
            lines.add("None of it is this recipient's.");
        } else {
            lines.add("Of it " + work + " is this recipient's, " + percent(work, total) + ".");
        }
        PoolFee fee = bundle.payoutPolicyManifest().poolFee();
        long earned = fee == null ? 0 : fee.earnedPoolFeeSats();
        lines.add("Its part of the reward" + (earned == 0 ? "" : " after the pool fee of " + sats(earned)) + " is "
                + sats(account.grossAmountSats()) + ".");
    }

    private void explainBalance(PayoutPolicyManifest policy) {
        BigInteger prior = account.priorBalanceSats();
        if (prior.signum() > 0) {
            lines.add("It was owed " + prior + " sats from earlier blocks, so " + account.candidateBalanceSats()
                    + " sats are due.");
        } else if (prior.signum() < 0) {
            lines.add("It had been paid " + prior.negate() + " sats too much in earlier blocks, so "
                    + account.candidateBalanceSats() + " sats are due.");
        }
        if (account.action() == PayoutAccount.PayoutAction.ACCRUED) {
            lines.add("Nothing is paid by this block: "
                    + (account.candidateBalanceSats()
                                            .compareTo(U128.ofUnsigned(policy.minOutputSats())
                                                    .toBigInteger())
                                    < 0
                            ? "what is due is below the smallest payment of "
                            : "its part of this block would be below the smallest payment of ")
                    + sats(policy.minOutputSats()) + " (" + policy.floorFormula() + ").");
        } else if (account.carryForwardBalanceSats().signum() > 0) {
            lines.add("The block is shared among everyone who is due, in proportion to what is due, so this one gets "
                    + sats(account.onchainAmountSats()) + " now.");
        }
        lines.add("Carried forward to the next block: " + account.carryForwardBalanceSats() + " sats.");
    }

    private void explainPayment() {
        if (account.onchainAmountSats() == 0) {
            return;
        }
        String program = account.identity().programKey();
        for (CoinbaseOutput output : bundle.signedCoinbaseManifest().manifest().outputs()) {
            if (output.identity().programKey().equals(program)) {
                lines.add("Paid by output " + output.vout() + " of the coinbase "
                        + bundle.signedCoinbaseManifest().manifest().coinbaseTxid() + ": "
                        + sats(output.amountSats()) + ".");
                return;
            }
        }
        FanoutManifestSet set = bundle.ctvFanoutManifestSet();
        if (set != null) {
            set.manifests().forEach(manifest -> explainFanout(manifest, program));
        }
    }

    private void explainFanout(FanoutManifest manifest, String program) {
        for (FanoutOutput output : manifest.precommitment().outputs()) {
            if (output.identity().programKey().equals(program)) {
                lines.add("Paid by output " + output.vout() + " of the fanout transaction " + manifest.fanoutTxid()
                        + ", which spends output " + manifest.parentCoinbaseVout() + " of the coinbase "
                        + manifest.parentCoinbaseTxid() + " once that is 1000 blocks deep: "
                        + sats(output.amountSats())
                        + (output.feeSats() == 0 ? "" : " after " + sats(output.feeSats()) + " of network fee") + ".");
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

    private static String sats(long value) {
        return Long.toUnsignedString(value) + " sats";
    }
}
