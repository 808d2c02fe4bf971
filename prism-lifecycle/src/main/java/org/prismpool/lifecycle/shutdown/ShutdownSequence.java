package org.prismpool.lifecycle.shutdown;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.prismpool.lifecycle.event.LifecycleEvents;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The steps of the one shutdown, in the order of the contract; runs on the owner's thread with no lock held. */
final class ShutdownSequence {

    private static final Logger LOG = LoggerFactory.getLogger(ShutdownSequence.class);

    private final ShutdownController controller;
    private final ShutdownConfig config;
    private final LeasePort lease;
    private final MonotonicClock clock;
    private final ShutdownEvents events;

    ShutdownSequence(
            ShutdownController controller,
            ShutdownConfig config,
            LeasePort lease,
            MonotonicClock clock,
            LifecycleEvents events) {
        this.controller = controller;
        this.config = config;
        this.lease = lease;
        this.clock = clock;
        this.events = new ShutdownEvents(events);
    }

    ShutdownReport run(String reason, Deadline barrier) {
        raiseBegun(reason);
        OptionalInt signal = controller.signal();
        events.start(reason, signal, config.writerQuiescenceTimeout());
        QuiescenceResult quiescence = controller.quiesce(barrier);
        events.quiescence(quiescence);
        if (!quiescence.quiesced()) {
            events.withheld(quiescence);
            return controller.withheld(reason, quiescence);
        }
        if (!controller.claimRelease()) {
            events.withheldAtClaim(controller.snapshot().openWriters());
            return controller.withheld(reason, quiescence);
        }
        Deadline deadline = Deadline.after(config.leaseReleaseTimeout(), clock, "lease-release");
        Release release = release(deadline, false, Set.of(Thread.currentThread()), events);
        ShutdownReport report = controller.released(reason, quiescence, release.outcome(), release.took());
        events.released(release, signal, controller.snapshot().signalToRelease());
        return report;
    }

    ShutdownReport runFatally(String reason, Deadline deadline, Set<Thread> waitingForRelease) {
        QuiescenceResult quiescence = controller.quiesce(deadline);
        if (!quiescence.quiesced() || deadline.expired() || !controller.claimRelease()) {
            return controller.withheld(reason, quiescence);
        }
        Release release = release(deadline, true, waitingForRelease, ShutdownEvents.silent());
        return controller.released(reason, quiescence, release.outcome(), release.took());
    }

    private Release release(Deadline deadline, boolean fresh, Set<Thread> waiting, ShutdownEvents told) {
        long start = clock.nanoTime();
        try {
            Duration bound = min(config.heartbeatStopTimeout(), deadline.remaining());
            if (!lease.stopHeartbeat(bound, waiting)) {
                return new Release(LeasePort.Outcome.FAILURE, since(start), "heartbeat_stop_timeout", Optional.empty());
            }
            told.releaseAttempt(lease.supported(), fresh);
            LeasePort.Outcome outcome = fresh ? lease.releaseFreshConnection(deadline) : lease.release(deadline);
            return new Release(outcome, since(start), outcome.label(), Optional.empty());
        } catch (RuntimeException e) {
            if (!fresh) {
                LOG.atWarn().setCause(e).log("lease release failed");
            }
            String label = LeasePort.Outcome.FAILURE.label();
            return new Release(
                    LeasePort.Outcome.FAILURE,
                    since(start),
                    label,
                    Optional.of(e.getClass().getSimpleName()));
        }
    }

    private void raiseBegun(String reason) {
        try {
            controller.raiseBegun(reason);
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).log("cancelling work in progress failed; the shutdown goes on");
        }
    }

    private Duration since(long startNanos) {
        return Duration.ofNanos(clock.nanoTime() - startNanos);
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }

    /**
     * What a release came to.
     *
     * @param label outcome in the log, finer than the metric's
     * @param error class of the failure; never its text, which may hold a connection string
     */
    record Release(LeasePort.Outcome outcome, Duration took, String label, Optional<String> error) {

        Map<String, String> errorField() {
            return error.map(name -> Map.of("error", name)).orElse(Map.of());
        }
    }
}
