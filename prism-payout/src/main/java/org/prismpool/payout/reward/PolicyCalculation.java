package org.prismpool.payout.reward;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.payout.window.PayoutRuleException;
import org.prismpool.payout.window.WeightedEntitlement;

/** The payout algorithm of specification 5.2, step by step and in its order of errors. For one use. */
final class PolicyCalculation {

    private static final BigInteger BPS = BigInteger.valueOf(10_000);

    private final FoundBlock block;
    private final PayoutPolicy policy;
    private final long floorSats;
    private final BigInteger floor;
    private Optional<PoolFee> fee = Optional.empty();
    private BigInteger reward = BigInteger.ZERO;
    private boolean[] paid = new boolean[0]; // by index of the account, once payments are known

    PolicyCalculation(FoundBlock block, PayoutPolicy policy) {
        this.block = block;
        this.policy = policy;
        this.floorSats = policy.floorSats();
        this.floor = unsigned(floorSats);
    }

    PayoutPolicyManifest apply(List<WeightedEntitlement> entitlements, List<PriorBalance> priorBalances) {
        takeFee();
        List<PayoutAccount> accounts = accounts(entitlements, priorBalances);
        long[] payments = payments(accounts);
        pay(accounts, payments);
        appendFee(accounts);
        List<WeightedEntitlement> onchain = onchainEntitlements(accounts);
        accounts.sort((a, b) -> PayoutIdentity.ACCOUNT_ORDER.compare(a.identity(), b.identity()));
        return new PayoutPolicyManifest(
                PayoutPolicyManifest.SCHEMA,
                block.blockHeight(),
                block.coinbaseValueSats(),
                floorSats,
                policy.floorFormula(),
                policy.coinbaseOutputPolicy(),
                fee,
                accounts,
                onchain);
    }

    private void takeFee() {
        BigInteger value = unsigned(block.coinbaseValueSats());
        BigInteger earned = BigInteger.ZERO;
        if (policy.poolFeePolicy().isPresent()) {
            PoolFeePolicy feePolicy = policy.poolFeePolicy().get();
            if (feePolicy.feeBps() > BPS.intValue()) {
                throw new PayoutRuleException("pool fee bps " + feePolicy.feeBps() + " exceeds 10000");
            }
            earned = value.multiply(BigInteger.valueOf(feePolicy.feeBps())).divide(BPS);
            long earnedSats = earned.longValue();
            fee = Optional.of(new PoolFee(feePolicy.feeBps(), earnedSats, 0, earnedSats, feePolicy.identity()));
        } else if (policy.coinbaseOutputPolicy() == CoinbaseOutputPolicy.POOL_FEE_FIRST) {
            throw new PayoutRuleException(
                    "pool-fee-first coinbase output policy requires a configured pool fee policy");
        }
        reward = value.subtract(earned);
        if (reward.compareTo(floor) < 0) {
            throw new PayoutRuleException("coinbase value " + reward + " is below minimum output floor " + floor);
        }
    }

    /** Accounts of current miners in account order, then accounts with only a prior balance by program. */
    private List<PayoutAccount> accounts(List<WeightedEntitlement> entitlements, List<PriorBalance> priorBalances) {
        List<WeightedEntitlement> merged = mergeByProgram(entitlements);
        merged.sort((a, b) -> PayoutIdentity.ACCOUNT_ORDER.compare(a.identity(), b.identity()));
        List<U128> weights = new ArrayList<>(merged.size());
        merged.forEach(each -> weights.add(each.weight()));
        long[] gross = LargestRemainder.allocate(reward.longValue(), weights);
        Map<String, PriorBalance> priors = CarryForward.mergeByProgram(priorBalances);
        List<PayoutAccount> accounts = new ArrayList<>(merged.size() + priors.size());
        for (int i = 0; i < gross.length; i++) {
            PayoutIdentity identity = merged.get(i).identity();
            PriorBalance prior = priors.remove(identity.programKey());
            accounts.add(
                    PayoutAccount.accrued(identity, gross[i], prior == null ? BigInteger.ZERO : prior.balanceSats()));
        }
        for (PriorBalance prior : priors.values()) {
            accounts.add(PayoutAccount.accrued(prior.identity(), 0, prior.balanceSats()));
        }
        return accounts;
    }

    private static List<WeightedEntitlement> mergeByProgram(List<WeightedEntitlement> entitlements) {
        // Sorted by the caller: miners mostly are their own order keys, and what is in order already costs little to
        // sort.
        Map<String, WeightedEntitlement> merged = new LinkedHashMap<>(2 * entitlements.size());
        for (WeightedEntitlement each : entitlements) {
            merged.merge(each.identity().programKey(), each, PolicyCalculation::merge);
        }
        return new ArrayList<>(merged.values());
    }

    private static WeightedEntitlement merge(WeightedEntitlement first, WeightedEntitlement later) {
        PayoutIdentity identity = CarryForward.mergedIdentity(first.identity(), later.identity());
        return new WeightedEntitlement(identity, first.weight().plus(later.weight()));
    }

    /** Amounts to pay, one for each account; meaningless where {@link #paid} is false. */
    private long[] payments(List<PayoutAccount> accounts) {
        boolean[] selected = new boolean[accounts.size()];
        BigInteger total = BigInteger.ZERO;
        int count = 0;
        for (int i = 0; i < selected.length; i++) {
            BigInteger candidate = accounts.get(i).candidateBalanceSats();
            if (candidate.compareTo(floor) >= 0) {
                selected[i] = true;
                total = total.add(candidate);
                count++;
            }
        }
        if (total.bitLength() > 128) {
            throw PolicyErrors.overflow();
        }
        long[] payments = new long[selected.length];
        if (fee.isPresent() && (count == 0 || total.compareTo(reward) < 0)) {
            sweep(fee.get(), reward.subtract(total));
            for (int i = 0; i < payments.length; i++) {
                if (selected[i]) {
                    payments[i] = accounts.get(i).candidateBalanceSats().longValue();
                }
            }
            paid = selected;
            return payments;
        }
        return select(accounts, selected, payments);
    }

    private void sweep(PoolFee record, BigInteger swept) {
        fee = Optional.of(new PoolFee(
                record.feeBps(),
                record.earnedPoolFeeSats(),
                swept.longValue(),
                record.earnedPoolFeeSats() + swept.longValue(),
                record.identity()));
    }

    /** Allocates over the selected accounts, dropping all that would get less than the floor, until none does. */
    private long[] select(List<PayoutAccount> accounts, boolean[] selected, long[] payments) {
        while (true) {
            List<Integer> indexes = new ArrayList<>();
            List<U128> weights = new ArrayList<>();
            BigInteger total = BigInteger.ZERO;
            for (int i = 0; i < selected.length; i++) {
                if (selected[i]) {
                    BigInteger candidate = accounts.get(i).candidateBalanceSats();
                    indexes.add(i);
                    weights.add(U128.of(candidate));
                    total = total.add(candidate);
                }
            }
            if (indexes.isEmpty()) {
                throw PolicyErrors.noRecipient();
            }
            if (total.compareTo(reward) < 0) {
                throw PolicyErrors.wouldExceed(reward.toString(), total);
            }
            long[] amounts = LargestRemainder.allocate(reward.longValue(), weights, ranks(accounts, indexes));
            boolean dropped = false;
            for (int i = 0; i < amounts.length; i++) {
                int index = indexes.get(i);
                payments[index] = amounts[i];
                if (Long.compareUnsigned(amounts[i], floorSats) < 0) {
                    selected[index] = false;
                    dropped = true;
                }
            }
            if (!dropped) {
                paid = selected;
                return payments;
            }
        }
    }

    private static int[] ranks(List<PayoutAccount> accounts, List<Integer> indexes) {
        Integer[] order = new Integer[indexes.size()];
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
        }
        Arrays.sort(
                order,
                (a, b) -> PayoutIdentity.ACCOUNT_ORDER.compare(
                        accounts.get(indexes.get(a)).identity(),
                        accounts.get(indexes.get(b)).identity()));
        int[] ranks = new int[order.length];
        for (int rank = 0; rank < order.length; rank++) {
            ranks[order[rank]] = rank;
        }
        return ranks;
    }

    private void pay(List<PayoutAccount> accounts, long[] payments) {
        for (int i = 0; i < paid.length; i++) {
            if (!paid[i]) {
                continue;
            }
            PayoutAccount account = accounts.get(i);
            BigInteger amount = unsigned(payments[i]);
            if (amount.compareTo(floor) < 0) {
                throw new PayoutRuleException("policy output for recipient "
                        + account.identity().recipientId() + " is below floor: " + amount + " < " + floor);
            }
            if (amount.compareTo(account.candidateBalanceSats()) > 0) {
                throw PolicyErrors.wouldExceed(
                        Long.toUnsignedString(block.coinbaseValueSats()), account.candidateBalanceSats());
            }
            accounts.set(i, account.paid(payments[i]));
        }
    }

    private void appendFee(List<PayoutAccount> accounts) {
        if (fee.isEmpty()) {
            return;
        }
        PoolFee record = fee.get();
        Set<String> programs = new HashSet<>();
        accounts.forEach(account -> programs.add(account.identity().programKey()));
        if (programs.contains(record.identity().programKey())) {
            throw new PayoutRuleException("pool fee account duplicates a miner payout account");
        }
        BigInteger amount = unsigned(record.amountSats());
        accounts.add(new PayoutAccount(
                PayoutAccount.AccountType.POOL_FEE,
                record.identity(),
                record.amountSats(),
                BigInteger.ZERO,
                amount,
                record.amountSats(),
                0,
                BigInteger.ZERO,
                PayoutAccount.PayoutAction.ONCHAIN));
    }

    private List<WeightedEntitlement> onchainEntitlements(List<PayoutAccount> accounts) {
        List<WeightedEntitlement> entitlements = new ArrayList<>();
        BigInteger total = BigInteger.ZERO;
        for (PayoutAccount account : accounts) {
            if (account.onchainAmountSats() != 0) {
                U128 amount = U128.ofUnsigned(account.onchainAmountSats());
                entitlements.add(new WeightedEntitlement(account.identity(), amount));
                total = total.add(amount.toBigInteger());
            }
        }
        if (!total.equals(unsigned(block.coinbaseValueSats()))) {
            throw PolicyErrors.overflow();
        }
        return entitlements;
    }

    private static BigInteger unsigned(long value) {
        return U128.ofUnsigned(value).toBigInteger();
    }
}
