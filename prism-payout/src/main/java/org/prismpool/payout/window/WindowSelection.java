package org.prismpool.payout.window;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.prismpool.payout.json.U128;

/** Selects the counted shares of a block from a list in any order. */
final class WindowSelection {

    private static final int AHEAD = 32; // shares whose cache misses overlap

    private WindowSelection() {}

    static RewardWindow select(List<WindowShare> shares, FoundBlock block) {
        if (block.networkDifficulty().isZero()) {
            throw new PayoutRuleException("network difficulty must be positive");
        }
        WindowShare[] given = shares.toArray(WindowShare[]::new);
        if (given.length < RewardWindow.LARGE) {
            check(given);
            return count(given, block);
        }
        // Counting needs no check; if a check fails, nobody sees what was counted.
        Beside<RewardWindow> window = Beside.start("prism-payout-window", () -> count(given, block));
        try {
            check(given);
        } finally {
            window.await();
        }
        return window.result();
    }

    private static RewardWindow count(WindowShare[] given, FoundBlock block) {
        Eligible eligible = eligible(given, block.anchorJobIssuedAtMs());
        U128 requested = requestedWeight(block.networkDifficulty());
        if (eligible.shares.length == 0) {
            throw nothingEligible(block);
        }
        return count(eligible.newestFirst(), block, requested);
    }

    static U128 requestedWeight(U128 networkDifficulty) {
        try {
            return networkDifficulty.times(RewardWindow.MULTIPLIER);
        } catch (ArithmeticException e) {
            throw new PayoutRuleException("window arithmetic overflowed");
        }
    }

    static PayoutRuleException nothingEligible(FoundBlock block) {
        return new PayoutRuleException("no eligible shares at or before job issue time " + block.anchorJobIssuedAtMs());
    }

    /** Demands positive difficulties and distinct ids of all shares, eligible or not. */
    private static void check(WindowShare[] given) {
        IdSet ids = new IdSet(given.length);
        for (int i = 0; i < given.length; i++) {
            if (i % AHEAD == 0) {
                ids.readAhead(given, i, Math.min(given.length, i + AHEAD));
            }
            WindowShare share = given[i];
            if (share.shareDifficulty().isZero()) {
                throw new PayoutRuleException("share difficulty must be positive for share sequence "
                        + Long.toUnsignedString(share.shareSeq()));
            }
            if (!ids.add(share.shareId())) {
                throw new PayoutRuleException("duplicate share_id in PRISM window input: " + share.shareId());
            }
        }
    }

    private static Eligible eligible(WindowShare[] given, long anchorMs) {
        WindowShare[] eligible = new WindowShare[given.length];
        int count = 0;
        boolean descending = true;
        boolean ascending = true; // strictly: equal sequences must keep their order
        long previous = 0;
        for (WindowShare share : given) {
            if (share.isEligibleAt(anchorMs)) {
                int order = count == 0 ? 0 : Long.compareUnsigned(previous, share.shareSeq());
                descending &= order >= 0;
                ascending &= count == 0 || order < 0;
                previous = share.shareSeq();
                eligible[count++] = share;
            }
        }
        WindowShare[] exact = count == eligible.length ? eligible : Arrays.copyOf(eligible, count);
        return new Eligible(exact, descending, ascending);
    }

    /** Eligible shares in the order of the input, and whether that is an order already. */
    private static final class Eligible {

        final WindowShare[] shares;
        private final boolean descending;
        private final boolean ascending;

        Eligible(WindowShare[] shares, boolean descending, boolean ascending) {
            this.shares = shares;
            this.descending = descending;
            this.ascending = ascending;
        }

        // The sort is stable: equal sequences keep the order of the input. Lists in order are only reversed, if at all.
        WindowShare[] newestFirst() {
            if (descending) {
                return shares;
            }
            if (!ascending) {
                Arrays.sort(shares, (a, b) -> Long.compareUnsigned(b.shareSeq(), a.shareSeq()));
                return shares;
            }
            for (int i = 0, j = shares.length - 1; i < j; i++, j--) {
                WindowShare swapped = shares[i];
                shares[i] = shares[j];
                shares[j] = swapped;
            }
            return shares;
        }
    }

    private static RewardWindow count(WindowShare[] newestFirst, FoundBlock block, U128 requested) {
        IdentityTotals totals = new IdentityTotals();
        U128 remaining = requested;
        U128 counted = U128.ZERO;
        int count = 0;
        do {
            if (count % AHEAD == 0) {
                totals.readAhead(newestFirst, count, Math.min(newestFirst.length, count + AHEAD));
            }
            WindowShare share = newestFirst[count++];
            counted = share.shareDifficulty().min(remaining);
            totals.add(share.identity(), counted);
            remaining = remaining.minus(counted);
        } while (!remaining.isZero() && count < newestFirst.length);
        return new RewardWindow(
                block,
                pages(newestFirst, count),
                new RewardWindow.Extent(requested, requested.minus(remaining), count, counted),
                totals.entitlements());
    }

    private static List<SharePage> pages(WindowShare[] newestFirst, int count) {
        List<SharePage> pages = new ArrayList<>();
        for (int from = 0; from < count; from += SharePage.SIZE) {
            int to = Math.min(count, from + SharePage.SIZE);
            pages.add(new SharePage(Arrays.copyOfRange(newestFirst, from, to), U128.ZERO, false));
        }
        return pages;
    }
}
