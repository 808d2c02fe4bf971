package org.prismpool.app.composition.work;

import java.util.Optional;
import java.util.function.LongSupplier;
import org.prismpool.bundle.BundleService;
import org.prismpool.lifecycle.health.ProgressHealth;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.state.PayoutEvents;
import org.prismpool.payout.state.PreparedWindows;
import org.prismpool.payout.state.PublishedPayout;
import org.prismpool.refresh.PayoutAuthority;
import org.prismpool.refresh.TipRefresher;
import org.prismpool.templates.TemplateObservation;

/** Tells bundles, refresh and health of every change of the payout state. */
public final class PayoutSignals implements PayoutEvents {

    private final Later<BundleService> bundles;
    private final Later<PreparedWindows> windows;
    private final Later<TipRefresher<TemplateObservation, PoolWork>> refresher;
    private final Later<LongSupplier> appendEpoch;
    private final ProgressHealth progress;
    private final MonotonicClock clock;

    public PayoutSignals(
            Later<BundleService> bundles,
            Later<PreparedWindows> windows,
            Later<TipRefresher<TemplateObservation, PoolWork>> refresher,
            Later<LongSupplier> appendEpoch,
            ProgressHealth progress,
            MonotonicClock clock) {
        this.bundles = bundles;
        this.windows = windows;
        this.refresher = refresher;
        this.appendEpoch = appendEpoch;
        this.progress = progress;
        this.clock = clock;
    }

    @Override
    public void fenced(long generation) {
        bundles.peek().ifPresent(BundleService::payoutFenced);
        refresher.peek().ifPresent(r -> r.payoutFenced(generation + 1));
    }

    @Override
    public void swapping(PublishedPayout next) {
        PayoutAuthority authority = new PayoutAuthority(
                next.generation(),
                Optional.of(next.artifact().digest()),
                appendEpoch.get().getAsLong(),
                false);
        refresher.peek().ifPresent(r -> r.payoutPublished(authority));
        bundles.peek().ifPresent(BundleService::payoutPublished);
    }

    @Override
    public void published(PublishedPayout state) {
        windows.get().retag(state);
        progress.payoutInvalidated(state.generation(), clock.nanoTime());
    }

    @Override
    public void acceptedBlockPreparing(Deadline deadline) throws InterruptedException {
        windows.get().renew(deadline);
    }

    @Override
    public void appendEpochMoved(long epoch, long visibleFromMs) {
        windows.get().drop();
        refresher.peek().ifPresent(TipRefresher::demandRefresh);
    }

    @Override
    public void refreshWanted(String reason) {
        refresher.peek().ifPresent(TipRefresher::demandRefresh);
    }
}
