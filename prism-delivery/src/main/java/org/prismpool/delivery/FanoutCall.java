package org.prismpool.delivery;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;

/**
 * A fan-out to run on the calling thread.
 *
 * @param items what goes to whom, in any order; delivered by priority (spec 07 §3.8)
 * @param maxInFlight most deliveries submitted but not handed over at a time
 * @param checks the caller's checks
 * @param cancel raised when something newer made it obsolete
 * @param deadline latest end
 * @param <W> the work's type
 */
public record FanoutCall<W>(
        List<Item<W>> items, int maxInFlight, FanoutChecks checks, CancelSignal cancel, Deadline deadline) {

    /** Copies the items and checks the components. */
    public FanoutCall {
        items = List.copyOf(items);
        Objects.requireNonNull(checks, "checks");
        Objects.requireNonNull(cancel, "cancel");
        Objects.requireNonNull(deadline, "deadline");
        if (maxInFlight < 1) {
            throw new IllegalArgumentException("maxInFlight " + maxInFlight + " is below 1");
        }
    }

    /**
     * One delivery.
     *
     * @param connectionId the connection
     * @param capturedJobId job that it had when it was selected, before the work was built
     * @param work its work
     * @param <W> the work's type
     */
    public record Item<W>(long connectionId, Optional<String> capturedJobId, PreparedWork<W> work) {

        /** Checks the components. */
        public Item {
            Objects.requireNonNull(capturedJobId, "capturedJobId");
            Objects.requireNonNull(work, "work");
        }
    }

    /** The caller's checks, asked on the thread that runs the fan-out unless stated otherwise. */
    public interface FanoutChecks {

        /**
         * Tells whether the work is still the current one. Asked before each submission, and at each commit on the
         * connection's event loop: thread-safe, never blocks.
         *
         * @return false to stop
         */
        boolean current();

        /** Reports that the fan-out is alive; at least every 50 ms. */
        void progress();

        /**
         * Checks the node; asked at least once per second while deliveries are pending, and before each submission.
         *
         * @param beforeSubmission true when asked for the next single submission
         * @return why the rest must not be delivered, or empty
         * @throws InterruptedException if the caller is interrupted
         */
        Optional<String> liveCheck(boolean beforeSubmission) throws InterruptedException;
    }
}
