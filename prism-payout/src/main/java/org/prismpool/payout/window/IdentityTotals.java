package org.prismpool.payout.window;

import java.util.ArrayList;
import java.util.Arrays;
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

    private static final int FIRST_SLOTS = 1 << 8; // a power of two
    private static final int MAX_SLOTS = 1 << 17;

    private final Map<PayoutIdentity, Total> totals = new HashMap<>();
    private @Nullable Total[] recent = new @Nullable Total[FIRST_SLOTS]; // spares most look-ups
    private final List<Total> sorted = new ArrayList<>();
    private boolean cameOrWent;
    long touched; // never read; a result that is stored keeps the compiler from dropping the reads

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
        int slot = slot(identity);
        Total total = recent[slot];
        if (total == null || !isSame(total.identity, identity)) {
            total = totals.get(identity);
            if (total == null) {
                total = new Total(identity);
                totals.put(identity, total);
                sorted.add(total);
                cameOrWent = true;
                if (sorted.size() * 4 > recent.length && recent.length < MAX_SLOTS) {
                    recent = new @Nullable Total[recent.length << 2];
                    slot = slot(identity);
                }
            }
            recent[slot] = total;
        }
        long low = total.low + weight.low();
        total.high += weight.high() + (Long.compareUnsigned(low, total.low) < 0 ? 1 : 0);
        total.low = low;
    }

    /** Brings the totals of the next shares into the cache, so that their misses overlap. */
    void readAhead(WindowShare[] shares, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            Total total = recent[slot(shares[i].identity())];
            sum += total == null ? 0 : total.low;
        }
        touched = sum;
    }

    private int slot(PayoutIdentity identity) {
        return (identity.hashCode() ^ (identity.hashCode() >>> 16)) & (recent.length - 1);
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
            if (sorted.removeIf(total -> total.isZero() && totals.remove(total.identity) != null)) {
                Arrays.fill(recent, null);
            }
            sorted.sort((a, b) -> PayoutIdentity.REWARD_ORDER.compare(a.identity, b.identity));
            cameOrWent = false;
        }
        List<WeightedEntitlement> entitlements = new ArrayList<>(sorted.size());
        for (Total total : sorted) {
            entitlements.add(new WeightedEntitlement(total.identity, U128.ofHalves(total.high, total.low)));
        }
        return entitlements;
    }

    // Shares of one miner mostly carry one object; another one only costs the look-up.
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(PayoutIdentity known, PayoutIdentity identity) {
        return known == identity;
    }
}
