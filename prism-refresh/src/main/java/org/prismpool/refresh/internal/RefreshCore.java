package org.prismpool.refresh.internal;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.prismpool.refresh.PayoutAuthority;
import org.prismpool.refresh.RefreshClocks;
import org.prismpool.refresh.RefreshCompanions;
import org.prismpool.refresh.RefreshConfig;
import org.prismpool.refresh.RefreshPorts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state and the neighbours that the parts of the refresh owner share. Every field is final; each mutable one is
 * thread-safe by itself, and the authority changes only by compare-and-set of a whole record.
 */
final class RefreshCore<T, W> {

    private static final Logger LOG = LoggerFactory.getLogger("org.prismpool.refresh.TipRefresher");

    final RefreshConfig config;
    final RefreshPorts<T, W> ports;
    final RefreshCompanions companions;
    final RefreshClocks clocks;
    final Waits waits;
    final AuthorityCell<T, W> authority = new AuthorityCell<>();
    final AtomicLong sequences = new AtomicLong();
    final PendingRefresh pending = new PendingRefresh();
    final RetrySignal retry = new RetrySignal();
    final StopFlag stop = new StopFlag();
    final PhaseTracker phases;
    final RetryPacing pacing;
    final FailureBudget budget;

    RefreshCore(
            RefreshConfig config,
            RefreshPorts<T, W> ports,
            RefreshCompanions companions,
            RefreshClocks clocks,
            Waits waits) {
        this.config = config;
        this.ports = ports;
        this.companions = companions;
        this.clocks = clocks;
        this.waits = waits;
        this.phases = new PhaseTracker(clocks, companions.metrics());
        this.pacing = new RetryPacing(config.pacing().failureHoldoff(), clocks.jitter());
        this.budget =
                new FailureBudget(config.pacing().failureExit(), config.wave().epochFanout());
    }

    long now() {
        return clocks.monotonic().nanoTime();
    }

    long reserveSequence() {
        return sequences.incrementAndGet();
    }

    boolean epochMode() {
        return config.wave().epochFanout();
    }

    PayoutAuthority payout() {
        return ports.gate().current();
    }

    /** Installs a pending token and latches a retry: something newer waits for a pass. */
    void demand() {
        pending.install(now());
        retry.arm();
        tell("refreshPending", () -> companions.listener().refreshPending());
    }

    void cancelFanout(Optional<org.prismpool.refresh.ActiveFanout> obsolete, String reason) {
        obsolete.ifPresent(active -> active.cancel().cancel(reason));
    }

    /** Runs a call into a follower: its fault is logged and never stops the refresh. */
    void tell(String event, Runnable call) {
        try {
            call.run();
        } catch (RuntimeException fault) {
            LOG.atError().setCause(fault).addKeyValue("event", event).log("refresh follower failed");
        }
    }
}
