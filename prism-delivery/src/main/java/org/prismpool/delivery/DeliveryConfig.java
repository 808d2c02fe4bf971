package org.prismpool.delivery;

import java.time.Duration;
import java.util.Objects;

/**
 * Settings of job delivery; {@link #defaults()} are those of spec 07 §11.
 *
 * @param firstJobs the first-job lane
 * @param bounds longest waits of a delivery
 * @param retention how long old jobs stay valid
 * @param jobs job ids and keep-alive
 */
public record DeliveryConfig(FirstJobs firstJobs, Bounds bounds, Retention retention, Jobs jobs) {

    /** Most active jobs of a connection. */
    public static final int MAX_ACTIVE_JOBS = 16;

    /** Checks the components. */
    public DeliveryConfig {
        Objects.requireNonNull(firstJobs, "firstJobs");
        Objects.requireNonNull(bounds, "bounds");
        Objects.requireNonNull(retention, "retention");
        Objects.requireNonNull(jobs, "jobs");
    }

    /**
     * Returns the documented defaults.
     *
     * @return four first-job workers, 128 pending, 30 s; two-second slots; 30 s retention
     */
    public static DeliveryConfig defaults() {
        return new DeliveryConfig(FirstJobs.defaults(), Bounds.defaults(), Retention.defaults(), Jobs.defaults());
    }

    /**
     * The first-job lane.
     *
     * @param workers threads, 1 to {@code pendingBound}; 4
     * @param pendingBound most pending requests, 1 or more; 128
     * @param timeout longest wait for a first job, zero or more (zero is none); 30 s
     */
    public record FirstJobs(int workers, int pendingBound, Duration timeout) {

        /** Checks the ranges. */
        public FirstJobs {
            if (pendingBound < 1) {
                throw new IllegalArgumentException("pendingBound " + pendingBound + " is below 1");
            }
            if (workers < 1 || workers > pendingBound) {
                throw new IllegalArgumentException("workers " + workers + " is outside 1.." + pendingBound);
            }
            requireNotNegative(timeout, "timeout");
        }

        /**
         * Returns the documented defaults.
         *
         * @return 4, 128, 30 s
         */
        public static FirstJobs defaults() {
            return new FirstJobs(4, 128, Duration.ofSeconds(30));
        }
    }

    /**
     * Longest waits of a delivery.
     *
     * @param slot wait for a connection's delivery slot, more than zero; 2 s
     * @param gate wait for the payout gate, more than zero; 5 s
     * @param send longest time a slot may be held, and an unsent pair may exist, more than zero; 20 s
     * @param direct longest direct or keep-alive delivery, preparation included, more than zero; 30 s
     */
    public record Bounds(Duration slot, Duration gate, Duration send, Duration direct) {

        /** Checks the ranges. */
        public Bounds {
            requirePositive(slot, "slot");
            requirePositive(gate, "gate");
            requirePositive(send, "send");
            requirePositive(direct, "direct");
        }

        /**
         * Returns the documented defaults.
         *
         * @return 2 s, 5 s, 20 s, 30 s
         */
        public static Bounds defaults() {
            return new Bounds(
                    Duration.ofSeconds(2), Duration.ofSeconds(5), Duration.ofSeconds(20), Duration.ofSeconds(30));
        }
    }

    /**
     * How long old jobs stay valid.
     *
     * @param sameTip life of a retained job of the published tip, zero or more (zero is none); 30 s
     * @param sameTipPerConnection most of them per connection, zero or more; 64
     * @param disconnected most of them of closed connections, zero or more (zero is none); 16384
     * @param staleGrace credit of the previous tip's jobs after new work was received, zero or more (zero is off); 3 s
     */
    public record Retention(Duration sameTip, int sameTipPerConnection, int disconnected, Duration staleGrace) {

        /** Checks the ranges. */
        public Retention {
            requireNotNegative(sameTip, "sameTip");
            requireNotNegative(staleGrace, "staleGrace");
            if (sameTipPerConnection < 0 || disconnected < 0) {
                throw new IllegalArgumentException("retention bounds must not be negative");
            }
        }

        /**
         * Returns the documented defaults.
         *
         * @return 30 s, 64, 16384, 3 s
         */
        public static Retention defaults() {
            return new Retention(Duration.ofSeconds(30), 64, 16_384, Duration.ofSeconds(3));
        }
    }

    /**
     * Job ids and keep-alive.
     *
     * @param boot part of every job id that tells this process from earlier ones, at most 8 characters; empty for none
     * @param keepAlive silence after which a connection gets its work again, zero or more (zero is off); 60 s
     */
    public record Jobs(String boot, Duration keepAlive) {

        /** Checks the components. */
        public Jobs {
            Objects.requireNonNull(boot, "boot");
            if (boot.length() > 8) {
                throw new IllegalArgumentException("boot part is longer than 8 characters");
            }
            requireNotNegative(keepAlive, "keepAlive");
        }

        /**
         * Returns the documented defaults.
         *
         * @return no boot part, 60 s
         */
        public static Jobs defaults() {
            return new Jobs("", Duration.ofSeconds(60));
        }
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
