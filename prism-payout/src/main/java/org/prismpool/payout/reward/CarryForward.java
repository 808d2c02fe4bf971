package org.prismpool.payout.reward;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.prismpool.payout.json.Utf8Order;
import org.prismpool.payout.window.PayoutIdentity;

/** Merging of balances that belong to one payout program. */
public final class CarryForward {

    private CarryForward() {}

    /**
     * Sums balances by program, without regard to its case.
     *
     * @param balances the balances, in any order
     * @return a modifiable map from the lower-case program to the merged balance, ordered by program; the smallest (order
     *     key, recipient) names a group, the first member's spelling of the program stays
     * @throws org.prismpool.payout.window.PayoutRuleException if a sum does not fit in 128 bits
     */
    public static Map<String, PriorBalance> mergeByProgram(List<PriorBalance> balances) {
        Map<String, PriorBalance> merged = new TreeMap<>(Utf8Order.COMPARATOR);
        for (PriorBalance balance : balances) {
            merged.merge(
                    balance.identity().programKey(),
                    balance,
                    (first, later) -> PriorBalance.of(
                            mergedIdentity(first.identity(), later.identity()),
                            PolicyErrors.checked(first.balanceSats().add(later.balanceSats()))));
        }
        return merged;
    }

    /** Returns the identity of a group after another member: the smaller name, the first spelling of the program. */
    static PayoutIdentity mergedIdentity(PayoutIdentity first, PayoutIdentity later) {
        return later.namesBefore(first) ? later.withProgramHex(first.programHex()) : first;
    }
}
