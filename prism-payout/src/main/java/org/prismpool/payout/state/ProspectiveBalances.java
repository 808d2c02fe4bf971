package org.prismpool.payout.state;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.prismpool.payout.json.Utf8Order;
import org.prismpool.payout.reward.PayoutAccount;
import org.prismpool.payout.reward.PriorBalance;

/** Balances after a block that has not been confirmed yet (spec 07 §6.3); pure. */
public final class ProspectiveBalances {

    private static final Comparator<PriorBalance> LEDGER_ORDER = Comparator.comparing(
                    PriorBalance::orderKey, Utf8Order.COMPARATOR)
            .thenComparing(PriorBalance::recipientId, Utf8Order.COMPARATOR)
            .thenComparing(PriorBalance::p2mrProgramHex);

    private ProspectiveBalances() {}

    /**
     * Adds what every account earned and was not paid to the balances before the block. Pool-fee accounts have no
     * balance; zero balances are dropped; a program with several names keeps the first by order key and recipient.
     *
     * @param before balances before the block
     * @param accounts accounts of the block's payout policy manifest
     * @return balances after it, in the ledger's order
     */
    public static List<PriorBalance> after(List<PriorBalance> before, List<PayoutAccount> accounts) {
        Map<String, PriorBalance> byProgram = new HashMap<>();
        before.forEach(balance -> add(byProgram, balance));
        for (PayoutAccount account : accounts) {
            if (account.type() != PayoutAccount.AccountType.POOL_FEE) {
                BigInteger unpaid = BigInteger.valueOf(account.grossAmountSats())
                        .subtract(BigInteger.valueOf(account.onchainAmountSats()));
                add(byProgram, PriorBalance.of(account.identity(), unpaid));
            }
        }
        List<PriorBalance> after = new ArrayList<>(byProgram.size());
        byProgram.values().stream().filter(b -> b.balanceSats().signum() != 0).forEach(after::add);
        after.sort(LEDGER_ORDER);
        return List.copyOf(after);
    }

    /**
     * Sums balances by program, the only measure by which a preview and the ledger are compared: identity texts may
     * differ, zero sums don't count.
     *
     * @param balances balances in any order
     * @return non-zero sums by lower-case program
     */
    public static Map<String, BigInteger> byProgram(List<PriorBalance> balances) {
        Map<String, BigInteger> sums = new HashMap<>();
        balances.forEach(b -> sums.merge(program(b), b.balanceSats(), BigInteger::add));
        sums.values().removeIf(sum -> sum.signum() == 0);
        return sums;
    }

    private static void add(Map<String, PriorBalance> byProgram, PriorBalance balance) {
        byProgram.merge(program(balance), lowerCase(balance), (known, more) -> {
            PriorBalance name = LEDGER_ORDER.compare(known, more) <= 0 ? known : more;
            return new PriorBalance(
                    name.recipientId(),
                    name.orderKey(),
                    name.p2mrProgramHex(),
                    known.balanceSats().add(more.balanceSats()));
        });
    }

    private static PriorBalance lowerCase(PriorBalance balance) {
        return new PriorBalance(balance.recipientId(), balance.orderKey(), program(balance), balance.balanceSats());
    }

    private static String program(PriorBalance balance) {
        return balance.p2mrProgramHex().toLowerCase(Locale.ROOT);
    }
}
