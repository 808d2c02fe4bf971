package org.prismpool.delivery.internal;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.prismpool.delivery.Generations;
import org.prismpool.delivery.PreparedWork;

/**
 * One delivery to make.
 *
 * @param work the work
 * @param policy how it is made
 * @param generations the request's tuple; a connection with another one no longer wants it
 * @param current whether the request or the fan-out's token is still current; asked from several threads
 */
record DeliveryOrder<W>(
        PreparedWork<W> work, Policy policy, Optional<Generations> generations, BooleanSupplier current) {

    /**
     * How a delivery is made.
     *
     * @param alwaysClean whether the job is clean whatever it replaces
     * @param priority whether it may use the payout gate's reservation
     * @param liveValidated whether the node confirmed the tip
     * @param tryOnly whether to give up at once if the slot is taken
     * @param unlessServed whether a connection that holds the published work already is left alone
     * @param captured for a fan-out: the job at selection, for the intervening-job rule
     * @param admission the fan-out's admission; an open one of its own for other lanes
     */
    record Policy(
            boolean alwaysClean,
            boolean priority,
            boolean liveValidated,
            boolean tryOnly,
            boolean unlessServed,
            Optional<Captured> captured,
            FanoutAdmission admission) {

        static Policy fanout(Optional<String> capturedJobId, FanoutAdmission admission) {
            return new Policy(false, true, true, false, false, Optional.of(new Captured(capturedJobId)), admission);
        }

        static Policy firstJob() {
            return new Policy(true, true, true, false, true, Optional.empty(), new FanoutAdmission());
        }

        static Policy direct(boolean clean, boolean priority, boolean liveValidated, boolean tryOnly) {
            return new Policy(clean, priority, liveValidated, tryOnly, false, Optional.empty(), new FanoutAdmission());
        }
    }

    /**
     * The job that a connection had when a fan-out selected it.
     *
     * @param jobId its id; empty for none
     */
    record Captured(Optional<String> jobId) {}
}
