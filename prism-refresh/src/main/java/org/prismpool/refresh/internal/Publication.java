package org.prismpool.refresh.internal;

import java.time.Duration;
import java.util.Optional;
import org.prismpool.lifecycle.time.CancelSource;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.refresh.ActiveFanout;
import org.prismpool.refresh.BuiltWork;
import org.prismpool.refresh.PayoutAuthority;
import org.prismpool.refresh.PublicationGate;
import org.prismpool.refresh.RefreshHeartbeat;
import org.prismpool.refresh.RefreshMetrics.GenerationOutcome;
import org.prismpool.refresh.TemplateSnapshot;
import org.prismpool.refresh.TimeoutLabel;
import org.prismpool.refresh.ValidationToken;
import org.prismpool.refresh.WorkAuthority;
import org.prismpool.templates.chain.Hash256;

/**
 * Final validation and atomic publication (spec 07 §3.7). The payout gate is the publication lane: one thread publishes,
 * waits there in short slices, and looks at the live tip in each. Owner's thread.
 */
final class Publication<T, W> {

    private static final Duration SLICE = Duration.ofMillis(50);

    private final RefreshCore<T, W> core;
    private final NodeCalls<T, W> calls;
    private final TipObserver<T, W> observer;

    Publication(RefreshCore<T, W> core, NodeCalls<T, W> calls, TipObserver<T, W> observer) {
        this.core = core;
        this.calls = calls;
        this.observer = observer;
    }

    /**
     * What was published.
     *
     * @param fence the fence, for the checks after the publication
     * @param fanout the registered fan-out
     */
    record Published<T, W>(PublicationFence<T, W> fence, ActiveFanout fanout) {}

    /** Before and after of the one swap. */
    private record Swap<T, W>(WorkAuthority<T, W> before, WorkAuthority<T, W> after) {}

    Published<T, W> publish(
            Attempt attempt, TemplateSnapshot<T> snapshot, Optional<BuiltWork<T, W>> bundle, PayoutAuthority payout) {
        Deadline pass = attempt.deadline();
        calls.checkpoint(pass);
        requireUnmoved(snapshot);
        Optional<Hash256> parent = calls.parentOf(snapshot.parent(), pass);
        if (bundle.isPresent()) {
            calls.requireLive(snapshot.parent(), pass);
        }
        long generation =
                bundle.map(built -> built.identity().payoutGeneration()).orElse(payout.generation());
        ValidationToken token = new ValidationToken(
                snapshot,
                attempt.sequence(),
                generation,
                core.authority.get().epochSequence(),
                bundle.map(BuiltWork::identity));
        PublicationFence<T, W> fence = new PublicationFence<>(token, snapshot, bundle);
        ActiveFanout fanout = new ActiveFanout(token, new CancelSource());
        Swap<T, W> swap = swap(fence, parent, fanout, pass);
        core.cancelFanout(swap.before().fanout(), "replaced by a newer publication");
        tell(swap);
        return new Published<>(fence, fanout);
    }

    private Swap<T, W> swap(
            PublicationFence<T, W> fence, Optional<Hash256> parent, ActiveFanout fanout, Deadline pass) {
        Optional<Swap<T, W>> swap = admitted(
                fence.token().payoutGeneration(),
                pass,
                Optional.of(fence.snapshot()),
                payout -> compareAndPublish(fence, parent, fanout, payout));
        return swap.orElseThrow(() -> RefreshStop.superseded("the authority moved before the publication"));
    }

    private Optional<Swap<T, W>> compareAndPublish(
            PublicationFence<T, W> fence, Optional<Hash256> parent, ActiveFanout fanout, PayoutAuthority payout) {
        long now = core.now();
        while (true) {
            WorkAuthority<T, W> before = core.authority.get();
            Optional<WorkAuthority<T, W>> after = fence.publish(before, payout, core.epochMode(), parent, fanout, now);
            if (after.isEmpty()) {
                return Optional.empty();
            }
            if (core.authority.compareAndSet(before, after.get())) {
                return Optional.of(new Swap<>(before, after.get()));
            }
        }
    }

    /**
     * Runs a section under the payout gate, waiting in slices that look for something newer.
     *
     * @param snapshot the work that waiting is worth for; empty to wait whatever the tip does
     */
    <R> R admitted(
            long generation,
            Deadline pass,
            Optional<TemplateSnapshot<T>> snapshot,
            java.util.function.Function<PayoutAuthority, R> section) {
        Deadline bound = pass.within(core.config.bounds().gate(), "payout gate");
        while (true) {
            PublicationGate.Admission<R> answer = slice(generation, bound, section);
            if (answer instanceof PublicationGate.Admitted<R> admitted) {
                return admitted.value();
            }
            if (answer instanceof PublicationGate.Fenced<R>) {
                throw RefreshStop.superseded("the payout publication fence is closed"); // 3.7b, not a pending parent
            }
            if (answer instanceof PublicationGate.WrongGeneration<R>) {
                throw RefreshStop.superseded("the payout generation moved");
            }
            core.companions.heartbeat().beat(RefreshHeartbeat.BLOCKPOLL);
            calls.checkpoint(pass);
            if (bound.expired()) {
                core.companions.metrics().generation(GenerationOutcome.CANCELLED);
                throw RefreshStop.timeout(TimeoutLabel.PAYOUT_GATE);
            }
            snapshot.ifPresent(work -> lookForNewerTip(work, pass));
        }
    }

    private <R> PublicationGate.Admission<R> slice(
            long generation, Deadline bound, java.util.function.Function<PayoutAuthority, R> section) {
        try {
            return core.ports.gate().admit(generation, bound.within(SLICE, "payout gate slice"), section);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw RefreshStop.shutdown();
        }
    }

    private void lookForNewerTip(TemplateSnapshot<T> snapshot, Deadline pass) {
        long sequence = core.reserveSequence();
        try {
            observer.observe(calls.bestHash(pass), sequence, true);
        } catch (RefreshStop unanswered) {
            if (unanswered.kind() != org.prismpool.refresh.FailureKind.BLOCKED) {
                throw unanswered;
            }
        }
        requireUnmoved(snapshot);
    }

    void requireUnmoved(TemplateSnapshot<T> snapshot) {
        if (core.authority
                .get()
                .newestKnownTip()
                .filter(tip -> !tip.equals(snapshot.parent()))
                .isPresent()) {
            throw RefreshStop.superseded("a newer tip was detected");
        }
    }

    private void tell(Swap<T, W> swap) {
        WorkAuthority<T, W> after = swap.after();
        boolean changed = !swap.before()
                .published()
                .map(org.prismpool.refresh.PublishedTip::hash)
                .equals(after.published().map(org.prismpool.refresh.PublishedTip::hash));
        core.tell(
                "published",
                () -> core.companions
                        .listener()
                        .published(after.published().orElseThrow(), after.work().orElseThrow(), changed));
    }
}
