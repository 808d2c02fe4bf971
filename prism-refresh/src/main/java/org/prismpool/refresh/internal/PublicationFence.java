package org.prismpool.refresh.internal;

import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.refresh.ActiveFanout;
import org.prismpool.refresh.BuiltWork;
import org.prismpool.refresh.PayoutAuthority;
import org.prismpool.refresh.PublishedTip;
import org.prismpool.refresh.PublishedWork;
import org.prismpool.refresh.RefreshEpoch;
import org.prismpool.refresh.TemplateSnapshot;
import org.prismpool.refresh.ValidationToken;
import org.prismpool.refresh.WorkAuthority;
import org.prismpool.refresh.WorkIdentity;
import org.prismpool.refresh.WorkMode;
import org.prismpool.templates.chain.Hash256;

/**
 * What must hold for a pass to publish, and what publishing changes: pure functions over the authority (spec 07 §3.7).
 *
 * @param token the pass's proof of its expensive checks
 * @param snapshot the snapshot to publish
 * @param bundle the shared bundle; empty on the collection path
 */
record PublicationFence<T, W>(ValidationToken token, TemplateSnapshot<T> snapshot, Optional<BuiltWork<T, W>> bundle) {

    /** Predicate P: nothing that the token was minted for has moved. */
    boolean holds(WorkAuthority<T, W> authority, PayoutAuthority payout, boolean epochMode) {
        return Identity.same(token.snapshot(), snapshot)
                && token.payoutGeneration() == payout.generation()
                && bundle.map(built -> bundleHolds(built, payout)).orElse(true)
                && !newerDetection(authority)
                && (!epochMode || epochHolds(authority));
    }

    /** Condition after publication: P, and what is published is still this. */
    boolean current(WorkAuthority<T, W> authority, PayoutAuthority payout, boolean epochMode) {
        return holds(authority, payout, epochMode)
                && authority
                        .work()
                        .filter(work -> Identity.same(work.snapshot(), snapshot))
                        .isPresent()
                && authority
                        .published()
                        .filter(tip -> tip.hash().equals(snapshot.parent())
                                && tip.observationSequence() == token.observationSequence())
                        .isPresent();
    }

    /**
     * Publishes if everything holds.
     *
     * @param parent the snapshot's grandparent, if the look-up succeeded
     * @param fanout the fan-out that follows
     * @param nowNanos monotonic now
     * @return the new authority, or empty with nothing changed
     */
    Optional<WorkAuthority<T, W>> publish(
            WorkAuthority<T, W> before,
            PayoutAuthority payout,
            boolean epochMode,
            Optional<Hash256> parent,
            ActiveFanout fanout,
            long nowNanos) {
        boolean ordered = before.published()
                .map(tip -> tip.observationSequence() <= token.observationSequence())
                .orElse(true);
        if (payout.fenced() || !ordered || !holds(before, payout, epochMode)) {
            return Optional.empty();
        }
        boolean sameTip = before.published()
                .filter(tip -> tip.hash().equals(snapshot.parent()))
                .isPresent();
        PublishedTip published = new PublishedTip(
                snapshot.parent(),
                parent.or(() -> sameTip ? before.published().flatMap(PublishedTip::parent) : Optional.empty()),
                flip(before, sameTip, nowNanos),
                token.observationSequence(),
                nowNanos);
        return Optional.of(new WorkAuthority<>(
                before.detected(),
                before.detectionEpoch(),
                Optional.of(published),
                OptionalLong.empty(),
                Optional.of(new PublishedWork<>(snapshot, bundle, workEpoch(before, payout))),
                before.epoch(),
                Optional.of(fanout),
                sameTip ? before.retainedCollection() : Optional.empty()));
    }

    private boolean bundleHolds(BuiltWork<T, W> built, PayoutAuthority payout) {
        WorkIdentity key = built.identity();
        return token.buildKey().filter(minted -> Identity.same(minted, key)).isPresent()
                && key.mode() == WorkMode.READY
                && built.carries(snapshot)
                && payout.agreesWith(key);
    }

    private boolean newerDetection(WorkAuthority<T, W> authority) {
        return authority
                .detected()
                .filter(tip -> !tip.hash().equals(snapshot.parent())
                        && tip.observationSequence() > token.observationSequence())
                .isPresent();
    }

    private boolean epochHolds(WorkAuthority<T, W> authority) {
        return authority
                .epoch()
                .filter(epoch -> epoch.sequence() == token.epoch()
                        && epoch.tip().equals(snapshot.parent())
                        && epoch.payoutGeneration() == token.payoutGeneration())
                .isPresent();
    }

    private long workEpoch(WorkAuthority<T, W> before, PayoutAuthority payout) {
        return before.epoch()
                .filter(epoch ->
                        epoch.tip().equals(snapshot.parent()) && epoch.payoutGeneration() == payout.generation())
                .map(RefreshEpoch::sequence)
                .orElse(0L);
    }

    private static OptionalLong flip(WorkAuthority<?, ?> before, boolean sameTip, long nowNanos) {
        if (before.published().isEmpty()) {
            return OptionalLong.empty(); // a baseline: the first tip of a process opens no stale grace
        }
        return sameTip ? before.published().get().flipNanos() : OptionalLong.of(nowNanos);
    }
}
