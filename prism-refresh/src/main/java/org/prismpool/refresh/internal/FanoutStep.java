package org.prismpool.refresh.internal;

import java.util.List;
import java.util.Optional;
import org.prismpool.refresh.ActiveFanout;
import org.prismpool.refresh.FanoutOrder;
import org.prismpool.refresh.FanoutReport;
import org.prismpool.refresh.PayoutAuthority;
import org.prismpool.refresh.PublishedWork;
import org.prismpool.refresh.RefreshHeartbeat;
import org.prismpool.refresh.RefreshMetrics.GenerationOutcome;
import org.prismpool.refresh.TimeoutLabel;
import org.prismpool.refresh.WorkAuthority;

/** Delivers published work and judges how that went (spec 07 §3.8). Owner's thread. */
final class FanoutStep<T, W> {

    private final RefreshCore<T, W> core;
    private final NodeCalls<T, W> calls;

    FanoutStep(RefreshCore<T, W> core, NodeCalls<T, W> calls) {
        this.core = core;
        this.calls = calls;
    }

    /** Runs the fan-out; returns normally only if its work is still the current one afterwards. */
    void run(
            Attempt attempt,
            PassState state,
            Publication.Published<T, W> published,
            List<FanoutOrder.Item<T, W>> items,
            boolean collection) {
        Control control = new Control(attempt, published, collection);
        try {
            FanoutReport report = items.isEmpty() ? FanoutReport.nobody() : deliver(attempt, published, items, control);
            core.companions.metrics().fanout(report, attempt.startedNanos());
            state.sent(report.sent());
            judge(attempt, state, report, control);
            requireStillCurrent(published);
            if (!items.isEmpty()) {
                calls.requireLive(published.fence().snapshot().parent(), attempt.deadline());
                requireStillCurrent(published);
            }
        } finally {
            unregister(published.fanout());
        }
    }

    boolean stillCurrent(Publication.Published<T, W> published) {
        PayoutAuthority payout = core.payout();
        return published.fence().current(core.authority.get(), payout, core.epochMode());
    }

    private FanoutReport deliver(
            Attempt attempt,
            Publication.Published<T, W> published,
            List<FanoutOrder.Item<T, W>> items,
            Control control) {
        long epoch = core.authority
                .get()
                .work()
                .filter(work -> Identity.same(work.snapshot(), published.fence().snapshot()))
                .map(PublishedWork::epoch)
                .orElse(0L);
        int inFlight = control.collection ? 1 : core.config.wave().maxInFlight();
        try {
            return core.ports
                    .fanout()
                    .deliver(new FanoutOrder<>(
                            published.fence().snapshot(),
                            epoch,
                            items,
                            inFlight,
                            control,
                            published.fanout().cancel(),
                            attempt.deadline()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw RefreshStop.shutdown();
        }
    }

    private void judge(Attempt attempt, PassState state, FanoutReport report, Control control) {
        if (core.stop.raised()) {
            throw RefreshStop.shutdown();
        }
        switch (report.end()) {
            case CANCELLED -> throw RefreshStop.superseded("the fan-out was superseded");
            case INVALIDATED ->
                throw control.invalidation.orElseGet(() -> RefreshStop.superseded("the fan-out was invalidated"));
            case DEADLINE -> throw RefreshStop.timeout(TimeoutLabel.JOB_FANOUT);
            case CLOSED -> throw RefreshStop.blocked("delivery is closed");
            case COMPLETE -> {
                if (report.undrained() > 0 && attempt.deadline().expired()) {
                    throw RefreshStop.timeout(TimeoutLabel.JOB_FANOUT);
                }
                if (report.busy() > 0) {
                    state.retryWanted();
                    for (int client = 0; client < report.busy(); client++) {
                        core.companions.metrics().timeout(TimeoutLabel.CLIENT_LOCK);
                        core.companions.metrics().generation(GenerationOutcome.CANCELLED);
                    }
                }
            }
        }
    }

    private void requireStillCurrent(Publication.Published<T, W> published) {
        if (!stillCurrent(published)) {
            throw RefreshStop.superseded("the published work is no longer current");
        }
    }

    private void unregister(ActiveFanout fanout) {
        core.authority.update(seen -> {
            if (seen.fanout().filter(active -> Identity.same(active, fanout)).isEmpty()) {
                return seen;
            }
            return new WorkAuthority<>(
                    seen.detected(),
                    seen.detectionEpoch(),
                    seen.published(),
                    seen.divergenceNanos(),
                    seen.work(),
                    seen.epoch(),
                    Optional.empty(),
                    seen.retainedCollection());
        });
    }

    /** The owner's checks during a fan-out. */
    private final class Control implements FanoutOrder.FanoutControl {

        private final Attempt attempt;
        private final Publication.Published<T, W> published;
        private final boolean collection;
        private Optional<RefreshStop> invalidation = Optional.empty();

        private Control(Attempt attempt, Publication.Published<T, W> published, boolean collection) {
            this.attempt = attempt;
            this.published = published;
            this.collection = collection;
        }

        @Override
        public boolean current() {
            return !core.stop.raised() && stillCurrent(published);
        }

        @Override
        public void progress() {
            core.companions.heartbeat().beat(RefreshHeartbeat.BLOCKPOLL);
            core.tell("refreshActive", () -> core.companions.listener().refreshActive());
        }

        @Override
        public Optional<String> liveCheck(boolean beforeSubmission) {
            if (beforeSubmission && !collection) {
                return Optional.empty(); // shared work was validated once, for everyone
            }
            try {
                calls.requireLive(published.fence().snapshot().parent(), attempt.deadline());
                return Optional.empty();
            } catch (RefreshStop refused) {
                invalidation = Optional.of(refused);
                return Optional.of(refused.reason());
            }
        }
    }
}
