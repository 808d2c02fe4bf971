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
     * Returns a port that writes each event as one log line: {@code prism coordinator: } and the JSON object.
     *
     * @return the port; it logs at INFO under this interface's name
     */
    static LifecycleEvents logged() {
        return new LoggedEvents();
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
