package org.prismpool.stratum;

/** Port to the watchdog of the accept loops. Called on accept threads: returns at once. */
public interface ListenerWatch {

    /** Watches nothing. */
    ListenerWatch NONE = new ListenerWatch() {};

    /**
     * Says that an accept loop lives, also while it waits for descriptors.
     *
     * @param heartbeat name from the listener's configuration
     */
    default void beat(String heartbeat) {}

    /**
     * Says that a listener has stopped accepting because of an unexpected fault.
     *
     * @param listener name of the listener
     * @param cause the fault
     */
    default void failed(String listener, Throwable cause) {}
}
