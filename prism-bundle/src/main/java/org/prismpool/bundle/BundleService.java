package org.prismpool.bundle;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.prismpool.bundle.internal.ServiceParts;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.TemplateObservation;

/**
 * Builds work bundles: one build for everyone who wants the same, the newest request wins, publication work goes first.
 *
 * <p>Thread-safe. No method blocks, apart from {@link #close}. Futures complete on threads of the service: what depends on
 * them must be quick or move elsewhere.
 */
public final class BundleService implements AutoCloseable {

    private final ServiceParts parts;

    /**
     * Creates the service.
     *
     * @param config settings
     * @param identity what names the pool in its work
     * @param ports what the service works with
     * @param clock monotonic clock
     */
    public BundleService(BundleConfig config, BundleIdentity identity, BundlePorts ports, MonotonicClock clock) {
        this.parts = new ServiceParts(config, identity, ports, clock);
    }

    /** Starts the timer that ends late builds and wakes parked requests. */
    public void start() {
        parts.start();
    }

    /**
     * Asks for a bundle on one exact template.
     *
     * @param request what is wanted
     * @param deadline latest end; the configured build time bounds it besides
     * @param cancel raised when the caller no longer wants it; a build that nobody waits for is cancelled
     * @return future of the bundle; fails with a {@link BundleException} only
     */
    public CompletableFuture<WorkBundle> request(BundleRequest request, Deadline deadline, CancelSignal cancel) {
        return parts.request(request, deadline, cancel);
    }

    /**
     * Looks finished work up without asking for a build.
     *
     * @param template template that it has to be on
     * @param worker identity that collection work has to pay
     * @return the bundle on exactly this template, if one may be served now
     */
    public Optional<WorkBundle> probe(TemplateObservation template, Optional<CollectionIdentity> worker) {
        return parts.probe(template, worker);
    }

    /**
     * Announces publication work before its request exists: routine preparations stop and wait meanwhile.
     *
     * @return reservation to be closed on every path
     */
    public PriorityReservation reserve() {
        return parts.reserve();
    }

    /**
     * Cancels running and waiting builds that are no longer wanted.
     *
     * @param keep asked with the key of each build
     * @param reason reason that their waiters get
     */
    public void cancelObsolete(Predicate<BuildKey> keep, String reason) {
        parts.cancelObsolete(keep, reason);
    }

    /** Follows the payout fence: empties the cache and cancels every build. */
    public void payoutFenced() {
        parts.clearCache();
        parts.cancelObsolete(key -> false, "payout generation superseded");
    }

    /** Follows a payout publication: empties the cache. */
    public void payoutPublished() {
        parts.clearCache();
    }

    /**
     * Follows a new template: only bundles of its fingerprint stay.
     *
     * @param fingerprint fingerprint of the current template
     */
    public void templateChanged(String fingerprint) {
        parts.keepFingerprint(fingerprint);
    }

    /**
     * Returns the gauges of the service.
     *
     * @return one consistent enough copy for health and metrics
     */
    public BundleStatus status() {
        return parts.status();
    }

    /** Refuses new requests, cancels what runs and fails what waits; joins the build threads for a bounded time. */
    @Override
    public void close() {
        parts.close();
    }
}
