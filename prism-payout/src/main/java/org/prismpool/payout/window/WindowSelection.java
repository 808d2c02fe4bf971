package org.prismpool.payout.window;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.prismpool.payout.json.U128;

/** Selects the counted shares of a block from a list in any order. */
final class WindowSelection {

    private WindowSelection() {}

    static RewardWindow select(List<WindowShare> shares, FoundBlock block) {
        if (block.networkDifficulty().isZero()) {
            throw new PayoutRuleException("network difficulty must be positive");
        }
        WindowShare[] eligible = eligible(shares, block.anchorJobIssuedAtMs());
        U128 requested = requestedWeight(block.networkDifficulty());
        if (eligible.length == 0) {
            throw nothingEligible(block);
        }
        newestFirst(eligible);
        return count(eligible, block, requested);
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

    private static WindowShare[] eligible(List<WindowShare> shares, long anchorMs) {
        IdSet ids = new IdSet(shares.size());
        WindowShare[] eligible = new WindowShare[shares.size()];
        int count = 0;
        for (WindowShare share : shares) {
            if (share.shareDifficulty().isZero()) {
                throw new PayoutRuleException("share difficulty must be positive for share sequence "
                        + Long.toUnsignedString(share.shareSeq()));
            }
            if (!ids.add(share.shareId())) {
                throw new PayoutRuleException("duplicate share_id in PRISM window input: " + share.shareId());
            }
            if (share.isEligibleAt(anchorMs)) {
                eligible[count++] = share;
            }
        }
        return count == eligible.length ? eligible : Arrays.copyOf(eligible, count);
    }

    // The sort is stable: equal sequences keep the order of the input. Lists in order are only recognised or reversed.
    private static void newestFirst(WindowShare[] shares) {
        boolean descending = true;
        boolean strictlyAscending = true;
        for (int i = 1; i < shares.length && (descending || strictlyAscending); i++) {
            int order = Long.compareUnsigned(shares[i - 1].shareSeq(), shares[i].shareSeq());
            descending &= order >= 0;
            strictlyAscending &= order < 0;
        }
        if (descending) {
            return;
        }
        if (strictlyAscending) {
            for (int i = 0, j = shares.length - 1; i < j; i++, j--) {
                WindowShare swapped = shares[i];
                shares[i] = shares[j];
                shares[j] = swapped;
            }
            return;
        }
        Arrays.sort(shares, (a, b) -> Long.compareUnsigned(b.shareSeq(), a.shareSeq()));
    }

    private static RewardWindow count(WindowShare[] newestFirst, FoundBlock block, U128 requested) {
        IdentityTotals totals = new IdentityTotals();
        U128 remaining = requested;
        U128 counted = U128.ZERO;
        int count = 0;
        do {
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
