package org.prismpool.bundle.compile;

import java.lang.ref.SoftReference;
import java.util.List;
import java.util.Optional;
import org.prismpool.payout.window.FoundBlock;
import org.prismpool.payout.window.RewardWindow;
import org.prismpool.payout.window.WindowShare;

/**
 * The reward window that was counted last, with the list that it was counted from. Thread-safe.
 *
 * <p>A window may hold more than a hundred thousand shares: one is kept, and it goes before memory runs out.
 */
final class LastWindow {

    private record Counted(List<WindowShare> shares, RewardWindow window) {}

    private volatile Optional<SoftReference<Counted>> last = Optional.empty();

    /** The window of exactly this list for a block of the same difficulty and anchor, if it was the last one. */
    Optional<RewardWindow> find(List<WindowShare> shares, FoundBlock block) {
        return last.flatMap(kept -> Optional.ofNullable(kept.get()))
                .filter(counted -> sameInstance(counted.shares(), shares)
                        && counted.window().block().networkDifficulty().equals(block.networkDifficulty())
                        && counted.window().block().anchorJobIssuedAtMs() == block.anchorJobIssuedAtMs())
                .map(counted -> counted.window().forBlock(block));
    }

    void keep(List<WindowShare> shares, RewardWindow window) {
        last = Optional.of(new SoftReference<>(new Counted(shares, window)));
    }

    // Comparing contents would cost as much as counting them.
    @SuppressWarnings("ReferenceEquality")
    private static boolean sameInstance(List<WindowShare> one, List<WindowShare> other) {
        return one == other;
    }
}
