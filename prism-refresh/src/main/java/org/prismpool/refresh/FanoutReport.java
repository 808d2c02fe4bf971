package org.prismpool.refresh;

import java.util.Objects;
import java.util.OptionalLong;

/**
 * What became of a fan-out.
 *
 * @param sent connections whose pair was written
 * @param skipped connections that no longer needed the work, were busy too long, or were stopped
 * @param disconnected connections that were lost, only they are retired
 * @param failed connections whose delivery failed unexpectedly
 * @param busy those of the skipped whose delivery slot was not obtained in time; they need a retry
 * @param undrained deliveries that were under way when the deadline passed
 * @param end why it ended
 * @param times instants for the metrics
 */
public record FanoutReport(
        int sent, int skipped, int disconnected, int failed, int busy, int undrained, End end, Times times) {

    /** Checks the components. */
    public FanoutReport {
        Objects.requireNonNull(end, "end");
        Objects.requireNonNull(times, "times");
    }

    /**
     * Returns the report of a fan-out to nobody.
     *
     * @return all zero, complete
     */
    public static FanoutReport nobody() {
        return new FanoutReport(0, 0, 0, 0, 0, 0, End.COMPLETE, Times.none());
    }

    /** Why a fan-out ended. */
    public enum End {
        /** Every item has an outcome. */
        COMPLETE,
        /** Its cancel signal was raised, or the work was no longer current. */
        CANCELLED,
        /** The live check refused. */
        INVALIDATED,
        /** The deadline passed. */
        DEADLINE,
        /** The delivery owner is closing. */
        CLOSED
    }

    /**
     * Monotonic instants of a fan-out.
     *
     * @param firstSubmission first submission; empty if nothing was submitted
     * @param firstDelivery first written pair
     * @param lastDelivery last written pair
     */
    public record Times(OptionalLong firstSubmission, OptionalLong firstDelivery, OptionalLong lastDelivery) {

        /** Checks the components. */
        public Times {
            Objects.requireNonNull(firstSubmission, "firstSubmission");
            Objects.requireNonNull(firstDelivery, "firstDelivery");
            Objects.requireNonNull(lastDelivery, "lastDelivery");
        }

        /**
         * Returns the instants of a fan-out that submitted nothing.
         *
         * @return all empty
         */
        public static Times none() {
            return new Times(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
        }
    }
}
