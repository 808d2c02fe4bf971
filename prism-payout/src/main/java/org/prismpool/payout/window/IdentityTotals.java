package org.prismpool.payout.window;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.json.U128;

/**
 * Counted work per identity, kept sorted for the manifest. Adding and taking away cost the same however large the window
 * is; sorting again costs little when few identities came or went. For one thread.
 */
final class IdentityTotals {

    private final Map<PayoutIdentity, Total> totals = new HashMap<>();
    private final List<Total> sorted = new ArrayList<>();
    private boolean cameOrWent;

    /** Work of one identity; the sum of a window always fits, as its parts never exceed the requested weight. */
    private static final class Total {
        final PayoutIdentity identity;
        long high;
        long low;

        Total(PayoutIdentity identity) {
            this.identity = identity;
        }

        boolean isZero() {
            return (high | low) == 0;
        }
    }

    void add(PayoutIdentity identity, U128 weight) {
        Total total = totals.get(identity);
        if (total == null) {
            total = new Total(identity);
            totals.put(identity, total);
            sorted.add(total);
            cameOrWent = true;
        }
        long low = total.low + weight.low();
        total.high += weight.high() + (Long.compareUnsigned(low, total.low) < 0 ? 1 : 0);
        total.low = low;
    }

    void subtract(PayoutIdentity identity, U128 weight) {
        @Nullable Total total = totals.get(identity);
        if (total == null) {
            throw new IllegalStateException("an identity that never counted can't lose work");
        }
        long borrow = Long.compareUnsigned(total.low, weight.low()) < 0 ? 1 : 0;
        total.low -= weight.low();
        total.high -= weight.high() + borrow;
        cameOrWent |= total.isZero();
    }

    List<WeightedEntitlement> entitlements() {
        if (cameOrWent) {
            sorted.removeIf(total -> total.isZero() && totals.remove(total.identity) != null);
            sorted.sort((a, b) -> PayoutIdentity.REWARD_ORDER.compare(a.identity, b.identity));
            cameOrWent = false;
        }
        List<WeightedEntitlement> entitlements = new ArrayList<>(sorted.size());
        for (Total total : sorted) {
            entitlements.add(new WeightedEntitlement(total.identity, U128.ofHalves(total.high, total.low)));
        }
        return entitlements;
    }
}
