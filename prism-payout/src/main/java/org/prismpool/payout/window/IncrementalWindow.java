package org.prismpool.payout.window;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.json.U128;

/**
 * A window snapshot that is carried forward: new shares are appended and old ones dropped at a cost of what changed, and
 * everything derived from it is identical to a fresh computation (payout specification 16).
 *
 * <p>It holds whole shares, newest first, until twice the width of the reward window is reached, so that a change of the
 * counted part never needs a read. Confined to one thread; the windows and lists it hands out are immutable.
 */
public final class IncrementalWindow {

    /** Shares are kept until they weigh this many times the network difficulty. */
    public static final int SUPERSET_MULTIPLIER = 16;

    private final PagedShares shares;
    private final U128 networkDifficulty;
    private final U128 supersetWeight;
    private final CountedRange counted;
    private long anchorMs;
    private long appendEpoch;
    private boolean invalidated;

    private IncrementalWindow(Origin origin, PagedShares shares, U128 supersetWeight) {
        this.shares = shares;
        this.networkDifficulty = origin.networkDifficulty();
        this.supersetWeight = supersetWeight;
        this.counted = new CountedRange(shares);
        this.anchorMs = origin.anchorMs();
        this.appendEpoch = origin.appendEpoch();
    }

    /**
     * What a snapshot was read for.
     *
     * @param networkDifficulty difficulty that sets the width
     * @param anchorMs instant up to which shares are eligible, Unix milliseconds
     * @param appendEpoch counter that the ledger raises when a row becomes visible under an older time
     */
    public record Origin(U128 networkDifficulty, long anchorMs, long appendEpoch) {}

    /**
     * Returns the weight that a full read for this difficulty has to reach.
     *
     * @param networkDifficulty the difficulty
     * @return sixteen times the difficulty
     * @throws PayoutRuleException if it does not fit in 128 bits
     */
    public static U128 supersetWeight(U128 networkDifficulty) {
        try {
            return networkDifficulty.times(SUPERSET_MULTIPLIER);
        } catch (ArithmeticException e) {
            throw new PayoutRuleException("window arithmetic overflowed");
        }
    }

    /**
     * Starts from a full read.
     *
     * @param eligible eligible shares, ascending by sequence; older ones than needed are dropped
     * @param origin what they were read for
     * @param keepEncoded whether full pages keep their encoded form: about 700 bytes a share, and a second block for the
     *     same window costs hashing only
     * @return the window
     * @throws PayoutRuleException for a zero difficulty or a share id that comes twice
     * @throws IllegalArgumentException if a share is not eligible or the sequences do not increase
     */
    public static IncrementalWindow rescanned(List<WindowShare> eligible, Origin origin, boolean keepEncoded) {
        if (origin.networkDifficulty().isZero()) {
            throw new PayoutRuleException("network difficulty must be positive");
        }
        PagedShares paged = new PagedShares(keepEncoded);
        for (WindowShare share : eligible) {
            if (share.shareDifficulty().isZero()) {
                throw new PayoutRuleException("share difficulty must be positive for share sequence "
                        + Long.toUnsignedString(share.shareSeq()));
            }
            if (!share.isEligibleAt(origin.anchorMs()) || !paged.isAboveLast(share.shareSeq())) {
                throw new IllegalArgumentException("a full read holds eligible shares in ascending sequence");
            }
            if (!paged.append(share)) {
                throw new PayoutRuleException("duplicate share_id in PRISM window input: " + share.shareId());
            }
        }
        IncrementalWindow window = new IncrementalWindow(origin, paged, supersetWeight(origin.networkDifficulty()));
        window.dropOldest();
        return window;
    }

    /**
     * Moves to a later anchor.
     *
     * @param became the shares that became eligible since the current anchor, ascending by sequence
     * @param next what they were read for
     * @return whether the window moved; if not it is unchanged
     */
    public WindowAdvance advance(List<WindowShare> became, Origin next) {
        WindowAdvance.Reason reason = obstacle(became, next);
        if (reason != null) {
            return new WindowAdvance.RescanNeeded(reason);
        }
        int appended = 0;
        for (WindowShare share : became) {
            if (!shares.append(share)) {
                shares.removeNewest(appended);
                return new WindowAdvance.RescanNeeded(WindowAdvance.Reason.DUPLICATE_SHARE_ID);
            }
            appended++;
        }
        anchorMs = next.anchorMs();
        return new WindowAdvance.Advanced(appended, dropOldest());
    }

    /** Declares the window invalid: a reorganisation or another change of the past. Every later advance asks for a rescan. */
    public void invalidate() {
        invalidated = true;
    }

    /**
     * Returns the anchor; a bundle built from this window must declare it, never the current time.
     *
     * @return Unix milliseconds
     */
    public long anchorMs() {
        return anchorMs;
    }

    /**
     * Returns the number of shares held.
     *
     * @return 0 or more
     */
    public int size() {
        return shares.size();
    }

    /**
     * Returns the shares held.
     *
     * @return ascending by sequence; unaffected by later advances
     */
    public List<WindowShare> shares() {
        return shares.snapshot();
    }

    /**
     * Computes the reward window of a block.
     *
     * @param block a block of this window's difficulty and anchor
     * @return the same window as {@link RewardWindow#of} computes from {@link #shares}
     * @throws PayoutRuleException if no share is held
     * @throws IllegalArgumentException if difficulty or anchor differ
     */
    public RewardWindow rewardWindow(FoundBlock block) {
        if (!block.networkDifficulty().equals(networkDifficulty) || block.anchorJobIssuedAtMs() != anchorMs) {
            throw new IllegalArgumentException("another difficulty or anchor needs another window");
        }
        return counted.select(block);
    }

    private WindowAdvance.@Nullable Reason obstacle(List<WindowShare> became, Origin next) {
        if (invalidated) {
            return WindowAdvance.Reason.INVALIDATED;
        }
        if (next.appendEpoch() != appendEpoch) {
            return WindowAdvance.Reason.APPEND_EPOCH_CHANGED;
        }
        if (next.anchorMs() < anchorMs) {
            return WindowAdvance.Reason.ANCHOR_MOVED_BACKWARDS;
        }
        if (!next.networkDifficulty().equals(networkDifficulty)) {
            return WindowAdvance.Reason.WINDOW_WEIGHT_CHANGED;
        }
        long last = shares.lastSeq();
        boolean any = shares.size() > 0;
        for (WindowShare share : became) {
            if (any && Long.compareUnsigned(share.shareSeq(), last) <= 0) {
                return WindowAdvance.Reason.SEQUENCE_NOT_INCREASING;
            }
            last = share.shareSeq();
            any = true;
            if (share.shareDifficulty().isZero()) {
                return WindowAdvance.Reason.DIFFICULTY_NOT_POSITIVE;
            }
            if (!share.isEligibleAt(next.anchorMs())) {
                return WindowAdvance.Reason.NOT_ELIGIBLE;
            }
            if (share.isEligibleAt(anchorMs)) {
                return WindowAdvance.Reason.ALREADY_ELIGIBLE;
            }
        }
        return null;
    }

    private int dropOldest() {
        int dropped = 0;
        while (shares.size() > 0
                && shares.weight().minus(shares.oldest().shareDifficulty()).compareTo(supersetWeight) >= 0) {
            counted.leaving(shares.oldest(), shares.oldestOrdinal());
            shares.removeOldest();
            dropped++;
        }
        return dropped;
    }
}
