package org.prismpool.refresh.internal;

import java.util.Optional;
import org.prismpool.refresh.ActiveFanout;
import org.prismpool.refresh.PayoutAuthority;
import org.prismpool.refresh.PublishedWork;
import org.prismpool.refresh.RefreshEpoch;
import org.prismpool.refresh.WorkAuthority;
import org.prismpool.templates.chain.Hash256;

/**
 * What a payout publication does to the authority: prepared and retained work of the old generation goes, and in epoch
 * mode the next epoch is minted for the tip that refreshes already work on, never for the tip the publication came from.
 *
 * @param next the authority after the publication
 * @param minted the epoch minted by it
 * @param obsolete the fan-out that delivers an older generation
 */
record PayoutPublication<T, W>(
        WorkAuthority<T, W> next, Optional<RefreshEpoch> minted, Optional<ActiveFanout> obsolete) {

    static <T, W> PayoutPublication<T, W> of(WorkAuthority<T, W> before, PayoutAuthority payout, boolean mint) {
        Optional<Hash256> tip = before.epoch().map(RefreshEpoch::tip).or(before::newestKnownTip);
        Optional<RefreshEpoch> minted = mint
                ? tip.map(hash -> new RefreshEpoch(before.epochSequence() + 1, hash, payout.generation()))
                : Optional.empty();
        Optional<RefreshEpoch> epoch = minted.isPresent() ? minted : before.epoch();
        WorkAuthority<T, W> next = new WorkAuthority<>(
                before.detected(),
                before.detectionEpoch(),
                before.published(),
                before.divergenceNanos(),
                before.work().map(work -> restamped(work, epoch)),
                epoch,
                before.fanout(),
                Optional.empty());
        return new PayoutPublication<>(next, minted, obsoleteFanout(before, payout.generation()));
    }

    static Optional<ActiveFanout> obsoleteFanout(WorkAuthority<?, ?> authority, long generation) {
        return authority.fanout().filter(active -> active.token().payoutGeneration() < generation);
    }

    private static <T, W> PublishedWork<T, W> restamped(PublishedWork<T, W> work, Optional<RefreshEpoch> epoch) {
        long sequence = epoch.filter(
                        minted -> minted.tip().equals(work.snapshot().parent()))
                .map(RefreshEpoch::sequence)
                .orElse(0L);
        return new PublishedWork<>(work.snapshot(), Optional.empty(), sequence);
    }
}
