package org.prismpool.payout.window;

import java.util.ArrayList;
import java.util.List;
import org.prismpool.payout.json.U128;

/** The part of an incremental window that counts in full, with its running totals. For one thread. */
final class CountedRange {

    private final PagedShares shares;
    private final IdentityTotals totals = new IdentityTotals();
    private long low; // ordinals [low, high) are in the totals
    private long high;

    CountedRange(PagedShares shares) {
        this.shares = shares;
    }

    /** Takes a share out of the totals before the snapshot drops it. */
    void leaving(WindowShare share, long ordinal) {
        if (ordinal >= low && ordinal < high) {
            totals.subtract(share.identity(), share.shareDifficulty());
            low = ordinal + 1;
        }
    }

    RewardWindow select(FoundBlock block) {
        U128 requested = WindowSelection.requestedWeight(block.networkDifficulty());
        if (shares.size() == 0) {
            throw WindowSelection.nothingEligible(block);
        }
        Boundary boundary = boundary(requested);
        moveTo(shares.endOrdinal() - boundary.whole(), shares.endOrdinal());
        int count = boundary.whole();
        U128 counted = requested.minus(boundary.remaining());
        WindowShare oldest = boundary.oldest();
        U128 oldestCounted = oldest.shareDifficulty();
        if (boundary.partial()) {
            count++;
            counted = requested;
            oldestCounted = boundary.remaining();
            totals.add(oldest.identity(), oldestCounted);
        }
        List<WeightedEntitlement> entitlements = totals.entitlements();
        if (boundary.partial()) {
            totals.subtract(oldest.identity(), oldestCounted);
        }
        RewardWindow.Extent extent = new RewardWindow.Extent(requested, counted, count, oldestCounted);
        return new RewardWindow(block, boundary.pages(), extent, entitlements);
    }

    /**
     * Where the window ends.
     *
     * @param pages the pages that hold counted shares
     * @param whole number of shares counted in full
     * @param remaining what is still missing after them
     * @param oldest the oldest counted share
     * @param partial whether that one is counted in part, with the remaining weight
     */
    private record Boundary(List<SharePage> pages, int whole, U128 remaining, WindowShare oldest, boolean partial) {}

    private Boundary boundary(U128 requested) {
        List<SharePage> pages = new ArrayList<>();
        U128 remaining = requested;
        int whole = 0;
        int held = shares.size();
        WindowShare oldest = shares.oldest();
        for (SharePage page : shares.newestPages()) {
            pages.add(page);
            int length = page.newestFirst.length;
            if (whole + length <= held && page.weight.compareTo(remaining) <= 0) {
                whole += length;
                remaining = remaining.minus(page.weight);
                oldest = page.newestFirst[length - 1];
                if (remaining.isZero() || whole == held) {
                    return new Boundary(pages, whole, remaining, oldest, false);
                }
                continue;
            }
            for (int i = 0; i < length && whole < held; i++) {
                WindowShare share = page.newestFirst[i];
                oldest = share;
                if (share.shareDifficulty().compareTo(remaining) > 0) {
                    return new Boundary(pages, whole, remaining, share, true);
                }
                remaining = remaining.minus(share.shareDifficulty());
                whole++;
                if (remaining.isZero()) {
                    return new Boundary(pages, whole, remaining, share, false);
                }
            }
            break;
        }
        return new Boundary(pages, whole, remaining, oldest, false);
    }

    private void moveTo(long newLow, long newHigh) {
        shares.walk(Math.max(high, newLow), newHigh, share -> totals.add(share.identity(), share.shareDifficulty()));
        if (newLow < low) {
            shares.walk(newLow, Math.min(low, newHigh), share -> totals.add(share.identity(), share.shareDifficulty()));
        } else {
            shares.walk(
                    low, Math.min(newLow, high), share -> totals.subtract(share.identity(), share.shareDifficulty()));
        }
        low = newLow;
        high = newHigh;
    }
}
