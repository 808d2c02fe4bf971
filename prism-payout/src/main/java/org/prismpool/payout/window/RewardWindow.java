package org.prismpool.payout.window;

import java.security.MessageDigest;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.json.ByteSink;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.Hex;
import org.prismpool.payout.json.OverlappedSha256;
import org.prismpool.payout.json.Sha256;
import org.prismpool.payout.json.U128;

/**
 * The counted shares of one block and what each miner earned by them (payout specification 3): eligible shares from the
 * newest backwards until eight times the network difficulty is reached, only the oldest one possibly in part.
 *
 * <p>Immutable and thread-safe; the slice digest is computed once, on first use.
 */
public final class RewardWindow {

    /** The window is this many times the network difficulty. */
    public static final int MULTIPLIER = 8;

    /** From this many shares on, digests are computed on a second thread while the caller encodes. */
    public static final int LARGE = 20_000;

    private final FoundBlock block;
    private final List<SharePage> pages; // newest page first; every page but the last is counted whole
    private final Extent extent;
    private final List<WeightedEntitlement> entitlements;
    private volatile byte @Nullable [] sliceDigest;

    /**
     * How far the window reaches.
     *
     * @param requested eight times the difficulty
     * @param counted sum of what is counted
     * @param count number of shares
     * @param oldestCounted what is counted of the oldest share
     */
    record Extent(U128 requested, U128 counted, int count, U128 oldestCounted) {}

    RewardWindow(FoundBlock block, List<SharePage> pages, Extent extent, List<WeightedEntitlement> entitlements) {
        this.block = block;
        this.pages = List.copyOf(pages);
        this.extent = extent;
        this.entitlements = List.copyOf(entitlements);
    }

    /**
     * Computes the window of a block from accepted shares.
     *
     * @param shares accepted shares in any order, ineligible ones included
     * @param block the block
     * @return the window
     * @throws PayoutRuleException if the difficulty of the block or of a share is zero, a share id comes twice, a weight
     *     overflows or no share is eligible
     */
    public static RewardWindow of(List<WindowShare> shares, FoundBlock block) {
        return WindowSelection.select(shares, block);
    }

    /**
     * Returns the same counted shares for another block of the same difficulty and anchor: a new template of other height or
     * value.
     *
     * @param other the block
     * @return the window
     * @throws IllegalArgumentException if difficulty or anchor differ
     */
    public RewardWindow forBlock(FoundBlock other) {
        if (other.equals(block)) {
            return this;
        }
        if (!other.networkDifficulty().equals(block.networkDifficulty())
                || other.anchorJobIssuedAtMs() != block.anchorJobIssuedAtMs()) {
            throw new IllegalArgumentException("another difficulty or anchor needs another window");
        }
        RewardWindow same = new RewardWindow(other, pages, extent, entitlements);
        same.sliceDigest = sliceDigest;
        return same;
    }

    /**
     * Returns the block.
     *
     * @return the block
     */
    public FoundBlock block() {
        return block;
    }

    /**
     * Returns the width of the window.
     *
     * @return eight times the network difficulty
     */
    public U128 requestedWeight() {
        return extent.requested();
    }

    /**
     * Returns the work that counts.
     *
     * @return at most the requested weight; less if the log is shorter
     */
    public U128 countedWeight() {
        return extent.counted();
    }

    /**
     * Returns the number of counted shares.
     *
     * @return 1 or more
     */
    public int shareCount() {
        return extent.count();
    }

    /**
     * Returns the sequence of the newest counted share.
     *
     * @return unsigned 64 bits
     */
    public long newestShareSeq() {
        return pages.get(0).newestFirst[0].shareSeq();
    }

    /**
     * Returns the sequence of the oldest counted share.
     *
     * @return unsigned 64 bits
     */
    public long oldestShareSeq() {
        return oldest().shareSeq();
    }

    /**
     * Returns the counted work of each identity.
     *
     * @return ordered by recipient, order key, program
     */
    public List<WeightedEntitlement> entitlements() {
        return entitlements;
    }

    /**
     * Returns the counted shares.
     *
     * @return newest first; a view that makes its elements when asked
     */
    public List<CountedShare> countedShares() {
        return new CountedView();
    }

    /**
     * Returns the share-slice digest.
     *
     * @return 64 lower-case digits
     */
    public String sliceDigestHex() {
        return sliceDigestHex(() -> {});
    }

    /**
     * Returns the share-slice digest.
     *
     * @param checkpoint called every few hundred shares while the digest is computed; may throw to give up
     * @return 64 lower-case digits
     */
    public String sliceDigestHex(Runnable checkpoint) {
        byte[] digest = sliceDigest;
        if (digest == null) {
            digest = computeSliceDigest(checkpoint);
            sliceDigest = digest;
        }
        return Hex.encode(digest);
    }

    /**
     * Writes the counted shares as elements of the open array, newest first.
     *
     * @param out the writer
     */
    public void writeCountedShares(CanonicalWriter out) {
        writeCountedShares(out, () -> {});
    }

    /**
     * Writes the counted shares as elements of the open array, newest first.
     *
     * @param out the writer
     * @param checkpoint called every few hundred shares; may throw to give up
     */
    public void writeCountedShares(CanonicalWriter out, Runnable checkpoint) {
        int left = extent.count() - 1;
        for (SharePage page : pages) {
            checkpoint.run();
            int count = Math.min(left, page.newestFirst.length);
            if (count > 0) {
                page.writeCounted(out, count);
            }
            left -= count;
        }
        ShareMembers.writeCounted(out, oldest(), extent.oldestCounted());
    }

    private byte[] computeSliceDigest(Runnable checkpoint) {
        if (extent.count() >= LARGE) {
            return OverlappedSha256.of(sink -> digestInto(sink, checkpoint));
        }
        MessageDigest sha256 = Sha256.newDigest();
        digestInto(ByteSink.to(sha256), checkpoint);
        return sha256.digest();
    }

    private void digestInto(ByteSink sink, Runnable checkpoint) {
        SliceDigest digest = new SliceDigest(sink);
        int left = extent.count() - 1;
        for (SharePage page : pages) {
            checkpoint.run();
            int count = Math.min(left, page.newestFirst.length);
            page.digest(digest, count);
            left -= count;
        }
        digest.add(oldest(), extent.oldestCounted());
        digest.flush();
    }

    private WindowShare oldest() {
        return share(extent.count() - 1);
    }

    private WindowShare share(int index) {
        int left = index;
        for (SharePage page : pages) {
            if (left < page.newestFirst.length) {
                return page.newestFirst[left];
            }
            left -= page.newestFirst.length;
        }
        throw new IndexOutOfBoundsException(index);
    }

    private final class CountedView extends AbstractList<CountedShare> implements RandomAccess {

        // Pages may have different lengths: remember where the last look-up ended, so that walking is linear.
        private int page;
        private int pageStart;

        @Override
        public CountedShare get(int index) {
            if (index < 0 || index >= extent.count()) {
                throw new IndexOutOfBoundsException(index);
            }
            if (index < pageStart) {
                page = 0;
                pageStart = 0;
            }
            while (index - pageStart >= pages.get(page).newestFirst.length) {
                pageStart += pages.get(page).newestFirst.length;
                page++;
            }
            WindowShare share = pages.get(page).newestFirst[index - pageStart];
            return CountedShare.of(
                    share, index == extent.count() - 1 ? extent.oldestCounted() : share.shareDifficulty());
        }

        @Override
        public int size() {
            return extent.count();
        }
    }
}
