package org.prismpool.refresh;

import java.time.Duration;
import java.util.Objects;

/**
 * Settings of the refresh owner; {@link #defaults()} are those of spec 07 §11.
 *
 * @param observation how the chain is watched
 * @param bounds longest durations of a pass and its parts
 * @param pacing retry spacing and the budgets of failures
 * @param wave how fan-outs and waves behave
 */
public record RefreshConfig(Observation observation, Bounds bounds, Pacing pacing, Wave wave) {

    /** Checks the components. */
    public RefreshConfig {
        Objects.requireNonNull(observation, "observation");
        Objects.requireNonNull(bounds, "bounds");
        Objects.requireNonNull(pacing, "pacing");
        Objects.requireNonNull(wave, "wave");
    }

    /**
     * Returns the documented defaults.
     *
     * @return two-second poll, block wait on, 90 s passes, legacy fan-out
     */
    public static RefreshConfig defaults() {
        return new RefreshConfig(Observation.defaults(), Bounds.defaults(), Pacing.defaults(), Wave.defaults());
    }

    /**
     * Returns a copy with other observation settings.
     *
     * @param other the new settings
     * @return the copy
     */
    public RefreshConfig with(Observation other) {
        return new RefreshConfig(other, bounds, pacing, wave);
    }

    /**
     * Returns a copy with other bounds.
     *
     * @param other the new settings
     * @return the copy
     */
    public RefreshConfig with(Bounds other) {
        return new RefreshConfig(observation, other, pacing, wave);
    }

    /**
     * Returns a copy with other pacing.
     *
     * @param other the new settings
     * @return the copy
     */
    public RefreshConfig with(Pacing other) {
        return new RefreshConfig(observation, bounds, other, wave);
    }

    /**
     * Returns a copy with other wave settings.
     *
     * @param other the new settings
     * @return the copy
     */
    public RefreshConfig with(Wave other) {
        return new RefreshConfig(observation, bounds, pacing, other);
    }

    /**
     * How the chain is watched.
     *
     * @param pollInterval time between polls, more than zero; 2 s
     * @param blockWait whether {@code waitfornewblock} runs beside the poll; true
     * @param blockWaitTimeout wait at the node, more than zero; 5 s
     * @param watchdogTimeout the liveness timeout that the wait at the node must stay below; 120 s
     */
    public record Observation(
            Duration pollInterval, boolean blockWait, Duration blockWaitTimeout, Duration watchdogTimeout) {

        private static final Duration CLIENT_MARGIN = Duration.ofSeconds(10);
        private static final Duration ONE_SECOND = Duration.ofSeconds(1);

        /** Checks the ranges. */
        public Observation {
            requirePositive(pollInterval, "pollInterval");
            requirePositive(blockWaitTimeout, "blockWaitTimeout");
            requirePositive(watchdogTimeout, "watchdogTimeout");
        }

        /**
         * Returns the documented defaults.
         *
         * @return 2 s, on, 5 s, 120 s
         */
        public static Observation defaults() {
            return new Observation(Duration.ofSeconds(2), true, Duration.ofSeconds(5), Duration.ofSeconds(120));
        }

        /**
         * Returns the wait at the node after clamping to four fifths of the watchdog's timeout (spec 07 §2.4).
         *
         * @return whole milliseconds, at least one
         */
        public Duration serverWait() {
            Duration longestCall =
                    longer(ONE_SECOND, watchdogTimeout.multipliedBy(4).dividedBy(5));
            Duration server = shorter(blockWaitTimeout, longer(ONE_SECOND, longestCall.minus(ONE_SECOND)));
            return Duration.ofMillis(Math.max(1L, server.toMillis()));
        }

        /**
         * Returns the client's timeout of the wait call.
         *
         * @return the server's wait plus ten seconds
         */
        public Duration clientWait() {
            return serverWait().plus(CLIENT_MARGIN);
        }
    }

    /**
     * Longest durations; each is further cut to what is left of the pass.
     *
     * @param pass a whole pass, more than zero; 90 s
     * @param lane wait for the publication lane, more than zero; 5 s
     * @param gate wait for the payout gate, more than zero; 5 s
     * @param rpc one call to the node, more than zero; 10 s
     * @param build one bundle build, more than zero; 60 s
     * @param reconcileJoin wait for the reconcile pass, 1 ms to 60 s; 20 s
     */
    public record Bounds(
            Duration pass, Duration lane, Duration gate, Duration rpc, Duration build, Duration reconcileJoin) {

        /** Checks the ranges. */
        public Bounds {
            requirePositive(pass, "pass");
            requirePositive(lane, "lane");
            requirePositive(gate, "gate");
            requirePositive(rpc, "rpc");
            requirePositive(build, "build");
            requirePositive(reconcileJoin, "reconcileJoin");
            if (reconcileJoin.compareTo(Duration.ofSeconds(60)) > 0) {
                throw new IllegalArgumentException("reconcileJoin " + reconcileJoin + " is above 60 s");
            }
        }

        /**
         * Returns the documented defaults.
         *
         * @return 90 s, 5 s, 5 s, 10 s, 60 s, 20 s
         */
        public static Bounds defaults() {
            return new Bounds(
                    Duration.ofSeconds(90),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(20));
        }
    }

    /**
     * Retry spacing and budgets.
     *
     * @param failureHoldoff spacing of failed attempts on one tip before jitter, zero or more (zero is off); 1 s
     * @param failureExit age of the first failure at which the process should end, zero or more (zero is off); 120 s.
     *     Also the length of the divergence lease
     * @param submitTipMaxAge age up to which a published tip decides without asking the node, zero or more (zero always
     *     asks); 10 s
     */
    public record Pacing(Duration failureHoldoff, Duration failureExit, Duration submitTipMaxAge) {

        /** Checks the ranges. */
        public Pacing {
            requireNotNegative(failureHoldoff, "failureHoldoff");
            requireNotNegative(failureExit, "failureExit");
            requireNotNegative(submitTipMaxAge, "submitTipMaxAge");
        }

        /**
         * Returns the documented defaults.
         *
         * @return 1 s, 120 s, 10 s
         */
        public static Pacing defaults() {
            return new Pacing(Duration.ofSeconds(1), Duration.ofSeconds(120), Duration.ofSeconds(10));
        }
    }

    /**
     * How fan-outs and waves behave.
     *
     * @param epochFanout true for the epoch mode: one wave goes on until every connection has the newest work; false
     * @param maxInFlight most deliveries of a ready fan-out submitted but unfinished, 1 to 16; 16
     * @param overlapReconcile whether the reconcile pass may run beside the template fetch; true
     */
    public record Wave(boolean epochFanout, int maxInFlight, boolean overlapReconcile) {

        /** Passes after which a wave of the epoch mode ends with a latched retry. */
        public static final int MAX_PASSES = 64;

        /** Checks the ranges. */
        public Wave {
            if (maxInFlight < 1 || maxInFlight > 16) {
                throw new IllegalArgumentException("maxInFlight " + maxInFlight + " is outside 1..16");
            }
        }

        /**
         * Returns the documented defaults.
         *
         * @return legacy mode, 16 in flight, overlapping reconcile
         */
        public static Wave defaults() {
            return new Wave(false, 16, true);
        }
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) >= 0 ? a : b;
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }

    private static void requirePositive(Duration value, String name) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " " + value + " must be more than zero");
        }
    }

    private static void requireNotNegative(Duration value, String name) {
        if (value.isNegative()) {
            throw new IllegalArgumentException(name + " " + value + " is negative");
        }
    }
}
