package org.prismpool.lifecycle.event;

/**
 * Port that is told of lifecycle events.
 *
 * <p>Called on the thread that stops the process, with no lock held. Implementations are thread-safe and must not block
 * longer than a log line takes.
 */
@FunctionalInterface
public interface LifecycleEvents {

    /**
     * Tells one event.
     *
     * @param event what happened
     */
    void tell(LifecycleEvent event);

    /**
     * Waits until everything told, and every line logged before, has left this process; does nothing by default.
     *
     * <p>Called as the last thing before a process ends without running any hook, on a thread of its own that is left
     * behind if this takes too long: a full pipe may block it.
     */
    default void flush() {}

    /**
     * Returns a port that writes each event as one log line: {@code prism coordinator: } and the JSON object.
     *
     * @return the port; it logs at INFO under this interface's name
     */
    static LifecycleEvents logged() {
        return new LoggedEvents(() -> {});
    }

    /**
     * Returns a port as {@link #logged()} for a program that logs through a queue.
     *
     * @param flush waits, within a bound of its own, until the queued lines are written
     * @return the port
     */
    static LifecycleEvents logged(Runnable flush) {
        return new LoggedEvents(flush);
    }

    /**
     * Returns a port that drops everything.
     *
     * @return the port
     */
    static LifecycleEvents none() {
        return event -> {};
    }
}
