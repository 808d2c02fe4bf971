package org.prismpool.lifecycle.time;

import java.util.Optional;

/**
 * Reading side of a cancellation: work polls it at its checkpoints or registers a callback.
 *
 * <p>Thread-safe. Once raised a signal stays raised and keeps its first reason.
 */
public interface CancelSignal {

    /**
     * Tells why the work is cancelled.
     *
     * @return the first reason, or empty while the signal is not raised
     */
    Optional<String> reason();

    /**
     * Registers a callback for the moment the signal is raised; it runs at once if that has already happened.
     *
     * @param callback runs at most once, on the thread that raises the signal and with no lock held; must not block
     * @return handle that removes the callback
     */
    Registration onCancel(Runnable callback);

    /**
     * Tells whether the signal is raised.
     *
     * @return true once cancelled
     */
    default boolean cancelled() {
        return reason().isPresent();
    }

    /**
     * Throws if the signal is raised.
     *
     * @throws CancelledException with the first reason
     */
    default void throwIfCancelled() {
        Optional<String> reason = reason();
        if (reason.isPresent()) {
            throw new CancelledException(reason.get());
        }
    }

    /**
     * Returns a signal that is never raised.
     *
     * @return the signal
     */
    static CancelSignal never() {
        return NeverCancelled.INSTANCE;
    }

    /** Handle to a registered callback. */
    @FunctionalInterface
    interface Registration extends AutoCloseable {

        /** Removes the callback; without effect if it has run or was removed before. */
        @Override
        void close();
    }
}
