package org.prismpool.refresh;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;

/**
 * A fan-out to run.
 *
 * @param snapshot the published snapshot
 * @param epoch sequence of the epoch that the jobs carry; zero for none
 * @param items what goes to whom; the delivery owner orders them
 * @param maxInFlight most deliveries submitted but unfinished at a time; one for collection work
 * @param control the refresh owner's checks
 * @param cancel raised when something newer made the fan-out obsolete
 * @param deadline end of the pass
 * @param <T> the template's type
 * @param <W> the bundle's type
 */
public record FanoutOrder<T, W>(
        TemplateSnapshot<T> snapshot,
        long epoch,
        List<Item<T, W>> items,
        int maxInFlight,
        FanoutControl control,
        CancelSignal cancel,
        Deadline deadline) {

    /** Copies the items and checks the components. */
    public FanoutOrder {
        Objects.requireNonNull(snapshot, "snapshot");
        items = List.copyOf(items);
        Objects.requireNonNull(control, "control");
        Objects.requireNonNull(cancel, "cancel");
        Objects.requireNonNull(deadline, "deadline");
        if (maxInFlight < 1) {
            throw new IllegalArgumentException("maxInFlight " + maxInFlight + " is below 1");
        }
    }

    /**
     * One delivery.
     *
     * @param target the connection as captured at selection
     * @param work its work
     * @param <T> the template's type
     * @param <W> the bundle's type
     */
    public record Item<T, W>(FanoutTarget target, BuiltWork<T, W> work) {

        /** Checks the components. */
        public Item {
            Objects.requireNonNull(target, "target");
            Objects.requireNonNull(work, "work");
        }
    }

    /** What a fan-out asks its orderer, on the thread that runs the fan-out unless stated otherwise. */
    public interface FanoutControl {

        /**
         * Tells whether the work is still the current one; asked before each submission, and at each commit on a
         * connection's own thread. Thread-safe, never blocks.
         *
         * @return false to stop submitting
         */
        boolean current();

        /** Reports that the fan-out is alive; at least every 50 ms. Never blocks. */
        void progress();

        /**
         * Checks the node: the tip is still the work's parent and the chain view is trusted. May block for one RPC
         * timeout; asked at least once per second while deliveries are pending.
         *
         * @param beforeSubmission true when asked on behalf of the next single submission
         * @return why the rest must not be delivered, or empty
         * @throws InterruptedException if the caller is interrupted
         */
        Optional<String> liveCheck(boolean beforeSubmission) throws InterruptedException;
    }
}
