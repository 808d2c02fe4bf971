package org.prismpool.delivery;

import java.util.Objects;
import java.util.OptionalLong;

/**
 * What became of a fan-out.
 *
 * @param sent pairs written
 * @param skipped connections that were left out: not needed, busy, stale or stopped
 * @param disconnected connections that were lost
 * @param failed unexpected failures
 * @param busy those of the skipped whose delivery slot was not obtained in time
 * @param undrained deliveries still under way at the end
 * @param end why it ended
 * @param firstSubmissionNanos monotonic instant of the first submission
 * @param firstDeliveryNanos monotonic instant of the first written pair
 * @param lastDeliveryNanos monotonic instant of the last written pair
 */
public record FanoutSummary(
        int sent,
        int skipped,
        int disconnected,
        int failed,
        int busy,
        int undrained,
        End end,
        OptionalLong firstSubmissionNanos,
        OptionalLong firstDeliveryNanos,
        OptionalLong lastDeliveryNanos) {

    /** Checks the components. */
    public FanoutSummary {
        Objects.requireNonNull(end, "end");
        Objects.requireNonNull(firstSubmissionNanos, "firstSubmissionNanos");
        Objects.requireNonNull(firstDeliveryNanos, "firstDeliveryNanos");
        Objects.requireNonNull(lastDeliveryNanos, "lastDeliveryNanos");
    }

    /** Why a fan-out ended. */
    public enum End {
        /** Every item has an outcome. */
        COMPLETE,
        /** Cancelled, or the work was no longer current. */
        CANCELLED,
        /** The live check refused. */
        INVALIDATED,
        /** The deadline passed. */
        DEADLINE,
        /** Delivery is closed. */
        CLOSED
    }
}
