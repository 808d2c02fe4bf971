package org.prismpool.bundle.internal;

import java.util.Optional;
import org.prismpool.bundle.BuildKey;
import org.prismpool.bundle.BundleConfig;
import org.prismpool.bundle.BundleMode;
import org.prismpool.bundle.BundlePorts;
import org.prismpool.bundle.CollectionIdentity;
import org.prismpool.bundle.WorkBundle;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.state.PayoutSnapshot;
import org.prismpool.payout.state.PreparedWindow;
import org.prismpool.payout.state.WindowNeed;
import org.prismpool.payout.state.WindowRead;
import org.prismpool.templates.TemplateObservation;

/**
 * Serves and stores finished bundles under the conditions of spec 07 §4.2, and binds them to the exact template of the
 * caller. Thread-safe.
 */
final class BundleShelf {

    private final BundlePorts ports;
    private final BundleConfig config;
    private final PlanMaker plans;
    private final MonotonicClock clock;
    private final BundleCache<CacheKey, WorkBundle> cache;

    BundleShelf(BundleConfig config, BundlePorts ports, PlanMaker plans, MonotonicClock clock) {
        this.config = config;
        this.ports = ports;
        this.plans = plans;
        this.clock = clock;
        this.cache = new BundleCache<>(config.cacheTtl().toNanos(), config.cacheEntries(), WorkBundle::builtNanos);
    }

    /** Looks finished work up for a template and worker, without admission. */
    Optional<WorkBundle> find(TemplateObservation template, Optional<CollectionIdentity> worker) {
        Optional<WorkBundle> found = peek(template, worker);
        ports.metrics().cache(found.isPresent());
        return found;
    }

    /** The same look-up, not counted. */
    Optional<WorkBundle> peek(TemplateObservation template, Optional<CollectionIdentity> worker) {
        return plans.probeKey(template, worker)
                .flatMap(this::lookup)
                .filter(bundle -> servable(bundle, template))
                .flatMap(bundle -> bind(bundle, template));
    }

    private Optional<WorkBundle> lookup(CacheKey key) {
        long now = clock.nanoTime();
        Optional<WorkBundle> exact = cache.find(key, now);
        if (exact.isPresent() || key.windowGeneration() == 0) {
            return exact;
        }
        // Work that was built before its own window was armed: the same shares under generation 0.
        Optional<String> armed = ports.windows()
                .installed()
                .filter(w -> w.generation() == key.windowGeneration())
                .map(PreparedWindow::digest);
        return cache.find(key.withWindow(0), now)
                .filter(bundle -> armed.isPresent() && armed.equals(bundle.key().shareSnapshotSha256()));
    }

    /** Tells whether a finished bundle may be handed out now for a template. */
    boolean servable(WorkBundle bundle, TemplateObservation template) {
        PayoutSnapshot payout = ports.payout().snapshot();
        BuildKey key = bundle.key();
        if (!ports.conditions().buildable(template)
                || payout.fenced()
                || key.payout().generation() != payout.published().generation()
                || !key.payout().digest().equals(payout.published().artifact().digest())) {
            return false;
        }
        if (key.mode() == BundleMode.COLLECTION) {
            return TemplateDigests.same(bundle.template(), template)
                    && !ports.conditions().poolReady();
        }
        return readyServable(bundle, plans.need(template, payout.published()));
    }

    private boolean readyServable(WorkBundle bundle, WindowNeed need) {
        if (!ports.conditions().poolReady()
                || bundle.key().payout().appendEpoch()
                        != ports.payout().appends().epoch()) {
            return false;
        }
        long anchorAgeMs = ports.wall().nowMs() - bundle.foundBlock().anchorJobIssuedAtMs();
        if (anchorAgeMs > config.maxAnchorAge().toMillis()) {
            return false;
        }
        long windowGeneration = bundle.key().payout().windowGeneration();
        boolean armed =
                windowGeneration > 0 && windowGeneration == ports.windows().generationFor(need);
        return armed
                || clock.nanoTime() - bundle.builtNanos() <= config.reanchor().toNanos();
    }

    /** Returns the bundle on exactly the given template, or empty if it can't serve that template. */
    Optional<WorkBundle> bind(WorkBundle bundle, TemplateObservation template) {
        if (TemplateDigests.same(bundle.template(), template)) {
            return Optional.of(bundle);
        }
        boolean clockOnly = bundle.key().mode() == BundleMode.READY
                && bundle.key()
                        .template()
                        .fingerprint()
                        .equals(template.fingerprint().hex())
                && bundle.work().parent().equals(template.parent());
        if (!clockOnly) {
            return Optional.empty();
        }
        return Optional.of(bundle.boundTo(plans.rebind(bundle.key(), template), template));
    }

    /** Stores finished work if it is still what others would build, then arms the window that it was read from. */
    void store(BundleBuild.Built built) {
        WorkBundle bundle = built.bundle();
        try {
            PayoutSnapshot payout = ports.payout().snapshot();
            boolean collection = bundle.collectionOnly();
            boolean current = ports.conditions().buildable(bundle.template())
                    && payout.published().generation() == bundle.payoutGeneration()
                    && payout.published().artifact().digest().equals(bundle.payoutDigest())
                    && (collection
                            || bundle.appendEpoch() == ports.payout().appends().epoch());
            if (!current) {
                return;
            }
            if (ports.conditions().storable(bundle.template(), collection)) {
                cache.store(CacheKey.of(bundle.key()), bundle, clock.nanoTime());
            }
            built.freshWindow()
                    .ifPresent(read ->
                            ports.windows().install(read.window(), plans.need(bundle.template(), payout.published())));
        } finally {
            built.freshWindow().ifPresent(WindowRead::close);
            if (!bundle.collectionOnly()) {
                ports.payout().appends().published(bundle.foundBlock().anchorJobIssuedAtMs());
            }
        }
    }

    void clear() {
        cache.clear();
    }

    void keepFingerprint(String fingerprint) {
        cache.keepOnly(bundle -> bundle.key().template().fingerprint().equals(fingerprint));
    }

    int size() {
        return cache.size();
    }
}
