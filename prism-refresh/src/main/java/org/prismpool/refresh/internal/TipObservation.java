package org.prismpool.refresh.internal;

import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.refresh.ActiveFanout;
import org.prismpool.refresh.DetectedTip;
import org.prismpool.refresh.PublishedTip;
import org.prismpool.refresh.RefreshEpoch;
import org.prismpool.refresh.WorkAuthority;
import org.prismpool.templates.chain.Hash256;

/**
 * The observation step as a pure function (spec 07 §2.2): it moves the detected tip and never the published one.
 *
 * @param next the authority after the step
 * @param agrees true iff the observation is the newest, or an older one that saw the same tip
 * @param changed true iff it departed from the tip known before
 * @param unresolved true iff the detected tip is not the published one
 * @param obsolete the fan-out that this observation makes obsolete
 * @param minted the epoch minted by it
 */
record TipObservation<T, W>(
        WorkAuthority<T, W> next,
        boolean agrees,
        boolean changed,
        boolean unresolved,
        Optional<ActiveFanout> obsolete,
        Optional<RefreshEpoch> minted) {

    /**
     * What somebody saw.
     *
     * @param hash the best hash
     * @param sequence number reserved before it was asked for
     * @param nowNanos monotonic now
     * @param payoutGeneration current payout generation, for a minted epoch
     * @param mint whether epochs are minted at all
     */
    record Sight(Hash256 hash, long sequence, long nowNanos, long payoutGeneration, boolean mint) {}

    static <T, W> TipObservation<T, W> of(WorkAuthority<T, W> before, Sight sight) {
        Optional<DetectedTip> detected = before.detected();
        if (detected.filter(tip -> sight.sequence() < tip.observationSequence()).isPresent()) {
            boolean same = detected.get().hash().equals(sight.hash());
            return new TipObservation<>(before, same, false, before.diverged(), Optional.empty(), Optional.empty());
        }
        boolean changed =
                before.newestKnownTip().filter(tip -> !tip.equals(sight.hash())).isPresent();
        Optional<RefreshEpoch> minted = sight.mint() && (detected.isEmpty() || changed)
                ? Optional.of(new RefreshEpoch(before.epochSequence() + 1, sight.hash(), sight.payoutGeneration()))
                : Optional.empty();
        boolean agrees = before.published()
                .filter(tip -> tip.hash().equals(sight.hash()))
                .isPresent();
        WorkAuthority<T, W> next = new WorkAuthority<>(
                Optional.of(new DetectedTip(sight.hash(), sight.sequence())),
                before.detectionEpoch() + (changed ? 1 : 0),
                agrees ? before.published().map(tip -> observedAt(tip, sight.nowNanos())) : before.published(),
                divergence(before, sight, agrees),
                before.work(),
                minted.isPresent() ? minted : before.epoch(),
                before.fanout(),
                before.retainedCollection());
        return new TipObservation<>(next, true, changed, !agrees, obsoleteFanout(before, sight), minted);
    }

    private static PublishedTip observedAt(PublishedTip tip, long nanos) {
        return new PublishedTip(tip.hash(), tip.parent(), tip.flipNanos(), tip.observationSequence(), nanos);
    }

    /** The first departure starts the clock; further ones do not renew it, a return to the published tip stops it. */
    private static OptionalLong divergence(WorkAuthority<?, ?> before, Sight sight, boolean agrees) {
        Optional<PublishedTip> published = before.published();
        if (agrees || published.isEmpty()) {
            return agrees ? OptionalLong.empty() : before.divergenceNanos();
        }
        return before.divergenceNanos().isPresent() ? before.divergenceNanos() : OptionalLong.of(sight.nowNanos());
    }

    private static Optional<ActiveFanout> obsoleteFanout(WorkAuthority<?, ?> before, Sight sight) {
        return before.fanout()
                .filter(active -> !active.token().snapshot().parent().equals(sight.hash())
                        && active.token().observationSequence() < sight.sequence());
    }
}
