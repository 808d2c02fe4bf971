package org.prismpool.app.composition.work;

import java.time.Duration;
import java.util.Optional;
import org.prismpool.app.composition.PoolEvents;
import org.prismpool.app.composition.health.HealthOwners;
import org.prismpool.delivery.JobDelivery;
import org.prismpool.delivery.TipChange;
import org.prismpool.lifecycle.health.ProgressHealth;
import org.prismpool.lifecycle.health.WorkGeneration;
import org.prismpool.lifecycle.startup.StartupPhase;
import org.prismpool.lifecycle.startup.StartupPhases;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.lifecycle.watchdog.FatalReason;
import org.prismpool.lifecycle.watchdog.FatalShutdown;
import org.prismpool.refresh.PublishedTip;
import org.prismpool.refresh.PublishedWork;
import org.prismpool.refresh.RefreshEpoch;
import org.prismpool.refresh.RefreshListener;
import org.prismpool.refresh.TemplateSnapshot;
import org.prismpool.stratum.JobContext;
import org.prismpool.templates.TemplateObservation;
import org.prismpool.templates.block.CandidateLane;
import org.prismpool.templates.chain.Hash256;

/** Tells the other owners what the refresher did. Called on its threads; only hands over. */
public final class RefreshEvents implements RefreshListener {

    private final JobDelivery<PoolWork, Optional<JobContext>> delivery;
    private final Later<CandidateLane> lane;
    private final ProgressHealth progress;
    private final StartupPhases phases;
    private final FatalShutdown fatal;
    private final Duration failureBudget;
    private final PoolEvents events;
    private final MonotonicClock clock;
    private final Runnable templateChanged;
    // guarded by this; passes begin and end on one thread, activity comes from others
    private Optional<ProgressHealth.RefreshToken> active = Optional.empty();

    public RefreshEvents(
            JobDelivery<PoolWork, Optional<JobContext>> delivery,
            Later<CandidateLane> lane,
            HealthOwners health,
            Duration failureBudget,
            PoolEvents events,
            MonotonicClock clock,
            Runnable templateChanged) {
        this.delivery = delivery;
        this.lane = lane;
        this.progress = health.progress();
        this.phases = health.phases();
        this.fatal = health.fatal();
        this.failureBudget = failureBudget;
        this.events = events;
        this.clock = clock;
        this.templateChanged = templateChanged;
    }

    @Override
    public void polled(TemplateSnapshot<?> snapshot, long payoutGeneration) {
        progress.tipObserved(work(snapshot, payoutGeneration), clock.nanoTime());
        templateChanged.run();
    }

    @Override
    public void refreshPending() {
        progress.refreshPending(clock.nanoTime());
    }

    @Override
    public void tipDetected(Hash256 tip) {
        lane.get().observeTip(tip);
    }

    @Override
    public void epochMinted(RefreshEpoch epoch) {
        delivery.epochMinted(epoch.sequence());
    }

    @Override
    public void published(PublishedTip tip, PublishedWork<?, ?> work, boolean tipChanged) {
        delivery.tipPublished(
                new TipChange(tip.hash().displayHex(), tip.parent().map(Hash256::displayHex), tip.flipNanos()));
        TemplateObservation template = (TemplateObservation) work.snapshot().template();
        long height = template.template().terms().height();
        if (tipChanged) {
            lane.get().publishedTip(tip.hash(), height - 1);
        }
        phases.reached(StartupPhase.FIRST_TIP_TEMPLATE_PUBLISHED);
        events.workPublished(tip.hash(), height, work.bundle().isEmpty());
    }

    @Override
    public void publicationCounted(TemplateSnapshot<?> snapshot, long payoutGeneration, boolean matchesLatestTip) {
        progress.published(work(snapshot, payoutGeneration), matchesLatestTip);
    }

    @Override
    public void refreshStarted() {
        replace(Optional.of(progress.startRefresh()));
    }

    @Override
    public void refreshActive() {
        current().ifPresent(ProgressHealth.RefreshToken::activity);
    }

    @Override
    public void refreshFinished() {
        replace(Optional.empty());
        events.refreshEnded();
    }

    @Override
    public void failureBudgetExpired(long failingSeconds) {
        fatal.fire(new FatalReason.RefreshFailure(failureBudget, Duration.ofSeconds(failingSeconds)));
    }

    static WorkGeneration work(TemplateSnapshot<?> snapshot, long payoutGeneration) {
        return new WorkGeneration(snapshot.generation(), snapshot.fingerprint(), payoutGeneration);
    }

    private synchronized Optional<ProgressHealth.RefreshToken> current() {
        return active;
    }

    private void replace(Optional<ProgressHealth.RefreshToken> next) {
        Optional<ProgressHealth.RefreshToken> before;
        synchronized (this) {
            before = active;
            active = next;
        }
        before.ifPresent(ProgressHealth.RefreshToken::close);
    }
}
