package org.prismpool.payout.state;

import java.time.Duration;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a candidate the published state, or tells why not; closes the fence and says so. One attempt each time: whether there
 * is another one is for its owner to decide. Thread-safe, the gate owns the state.
 */
final class GatePublisher {

    private static final Logger LOG = LoggerFactory.getLogger(GatePublisher.class);

    private final PayoutGate gate;
    private final BalanceReader balances;
    private final PayoutEvents events;
    private final PayoutStateMetrics metrics;
    private final Duration gateTimeout;
    private final MonotonicClock clock;

    /**
     * Creates a publisher.
     *
     * @param gate whose state is replaced
     * @param ports what it reads and whom it tells
     * @param gateTimeout longest wait for admitted deliveries
     * @param clock monotonic
     */
    GatePublisher(PayoutGate gate, PayoutStatePorts ports, Duration gateTimeout, MonotonicClock clock) {
        this.gate = gate;
        this.balances = ports.balances();
        this.events = ports.events();
        this.metrics = ports.metrics();
        this.gateTimeout = gateTimeout;
        this.clock = clock;
    }

    /** Prepares the balances, waits for admitted deliveries, swaps. */
    PublishOutcome publish(PayoutCandidate candidate, Deadline deadline, CancelSignal cancel)
            throws InterruptedException {
        if (!gate.current(candidate)) {
            return discarded();
        }
        BalanceArtifact artifact;
        long started = clock.nanoTime();
        try {
            artifact = prepare(candidate, deadline, cancel);
        } catch (RuntimeException failed) {
            LOG.atWarn()
                    .addKeyValue("cause", candidate.source().cause().label())
                    .setCause(failed)
                    .log("payout balances not prepared");
            fence(false);
            events.refreshWanted("payout_preparation_failed");
            return new PublishOutcome.NotPrepared(failed);
        }
        metrics.preparation(clock.nanoTime() - started);
        if (!gate.current(candidate)) {
            return discarded();
        }
        return swap(candidate, artifact, deadline, cancel);
    }

    private BalanceArtifact prepare(PayoutCandidate candidate, Deadline deadline, CancelSignal cancel) {
        if (candidate.preview().isPresent()) {
            return BalanceArtifact.of(candidate.preview().get());
        }
        if (candidate.window().isPresent()) {
            return candidate.window().get().balances();
        }
        return BalanceArtifact.of(balances.confirmedBalances(deadline, cancel));
    }

    private PublishOutcome swap(
            PayoutCandidate candidate, BalanceArtifact artifact, Deadline deadline, CancelSignal cancel)
            throws InterruptedException {
        Deadline drain = deadline.within(gateTimeout, "payout_gate");
        return switch (gate.publish(candidate, artifact, events::swapping, drain, cancel)) {
            case DONE -> {
                PublishedPayout now = gate.published();
                events.published(now);
                yield new PublishOutcome.Published(now);
            }
            case SUPERSEDED -> discarded();
            case CANCELLED -> new PublishOutcome.Cancelled();
            case TIMED_OUT -> {
                metrics.gateTimeout();
                fence(false);
                events.refreshWanted("payout_gate_timeout");
                yield new PublishOutcome.GateTimedOut();
            }
        };
    }

    private PublishOutcome discarded() {
        metrics.candidateDiscarded();
        return new PublishOutcome.Superseded();
    }

    /** Closes the fence if the published source is not the current one, or if forced; true if this call closed it. */
    boolean fence(boolean force) {
        boolean closed = gate.fence(force);
        if (closed) {
            announceFence("payout_fenced");
        }
        return closed;
    }

    /** Closes the fence because no attempt succeeded; told even if it was closed before. */
    void giveUp(String reason) {
        gate.fence(true);
        announceFence(reason);
    }

    /** Tells that the fence is closed and why a refresh is wanted. */
    void announceFence(String reason) {
        events.fenced(gate.published().generation());
        events.refreshWanted(reason);
    }
}
