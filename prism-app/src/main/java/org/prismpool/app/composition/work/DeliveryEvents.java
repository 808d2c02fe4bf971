package org.prismpool.app.composition.work;

import java.util.function.BooleanSupplier;
import org.prismpool.app.composition.health.HealthOwners;
import org.prismpool.delivery.DeliveryListener;
import org.prismpool.delivery.IssuedJob;
import org.prismpool.lifecycle.health.DeliveryProof;
import org.prismpool.lifecycle.health.ProgressHealth;
import org.prismpool.lifecycle.health.WorkGeneration;
import org.prismpool.lifecycle.startup.StartupPhase;
import org.prismpool.lifecycle.startup.StartupPhases;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.refresh.TipRefresher;
import org.prismpool.templates.TemplateObservation;

/** Proves deliveries to health, and lets the refresher look again when something could not be delivered. */
public final class DeliveryEvents implements DeliveryListener {

    private final Later<TipRefresher<TemplateObservation, PoolWork>> refresher;
    private final ProgressHealth progress;
    private final StartupPhases phases;
    private final BooleanSupplier ready;
    private final MonotonicClock clock;

    public DeliveryEvents(
            Later<TipRefresher<TemplateObservation, PoolWork>> refresher,
            HealthOwners health,
            BooleanSupplier ready,
            MonotonicClock clock) {
        this.refresher = refresher;
        this.progress = health.progress();
        this.phases = health.phases();
        this.ready = ready;
        this.clock = clock;
    }

    @Override
    public void delivered(IssuedJob<?> job) {
        WorkGeneration work = new WorkGeneration(
                job.key().templateGeneration(),
                job.key().fingerprint(),
                job.key().payoutGeneration());
        boolean latestTip = refresher
                .get()
                .authority()
                .newestKnownTip()
                .map(tip -> tip.displayHex().equals(job.key().tip()))
                .orElse(false);
        progress.delivered(
                new DeliveryProof(job.connectionId(), work, job.key().collection(), clock.nanoTime()),
                ready.getAsBoolean(),
                latestTip);
        phases.reached(StartupPhase.FIRST_JOB_DELIVERED);
        if (job.key().collection()) {
            refresher
                    .get()
                    .authority()
                    .work()
                    .filter(published ->
                            published.snapshot().fingerprint().equals(job.key().fingerprint())
                                    && published.snapshot().generation()
                                            == job.key().templateGeneration())
                    .ifPresent(published -> refresher.get().collectionDelivered(published.snapshot()));
        }
    }

    @Override
    public void refreshWanted() {
        refresher.get().demandRefresh();
    }
}
