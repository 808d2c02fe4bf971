package org.prismpool.refresh;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.prismpool.templates.chain.Hash256;

/**
 * The refresh driver's state as health bodies and fatal events show it (spec 07 §3.10, 08 §4.6).
 *
 * @param phase current phase
 * @param tip tip of the pass; keeps its last value when idle
 * @param generation observation sequence of the pass; keeps its last value when idle
 * @param phaseStarted start of the phase
 * @param blockedPhaseSeconds time in the phase so far
 * @param lastPoll last coherent poll
 * @param lastRefresh last successful attempt
 * @param helperPid process id of the owner's bundle helper, while there is one
 * @param newestPendingGeneration newest pending token; empty when nothing is pending
 */
public record RefreshStatus(
        RefreshPhase phase,
        Optional<Hash256> tip,
        OptionalLong generation,
        Stamp phaseStarted,
        double blockedPhaseSeconds,
        Optional<Stamp> lastPoll,
        Optional<Stamp> lastRefresh,
        OptionalLong helperPid,
        OptionalLong newestPendingGeneration) {

    /** Checks the components. */
    public RefreshStatus {
        Objects.requireNonNull(phase, "phase");
        Objects.requireNonNull(tip, "tip");
        Objects.requireNonNull(generation, "generation");
        Objects.requireNonNull(phaseStarted, "phaseStarted");
        Objects.requireNonNull(lastPoll, "lastPoll");
        Objects.requireNonNull(lastRefresh, "lastRefresh");
        Objects.requireNonNull(helperPid, "helperPid");
        Objects.requireNonNull(newestPendingGeneration, "newestPendingGeneration");
    }

    /**
     * One instant on both clocks.
     *
     * @param monotonicSeconds monotonic clock, in seconds
     * @param unixSeconds wall clock, in seconds since the epoch
     */
    public record Stamp(double monotonicSeconds, double unixSeconds) {}

    /**
     * Ages that watchdogs judge (spec 07 §2.9).
     *
     * @param failureAge seconds since the first budgeted failure; empty without one
     * @param coordinationAge seconds since the coordination streak began; empty without one
     * @param divergenceAge seconds since the published tip was first departed from; empty without divergence
     * @param pendingAge seconds since the first unresolved change; empty when none
     */
    public record Ages(
            OptionalDouble failureAge,
            OptionalDouble coordinationAge,
            OptionalDouble divergenceAge,
            OptionalDouble pendingAge) {

        /** Checks the components. */
        public Ages {
            Objects.requireNonNull(failureAge, "failureAge");
            Objects.requireNonNull(coordinationAge, "coordinationAge");
            Objects.requireNonNull(divergenceAge, "divergenceAge");
            Objects.requireNonNull(pendingAge, "pendingAge");
        }
    }
}
