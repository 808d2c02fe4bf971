package org.prismpool.delivery;

/** Port for those who follow deliveries. Called on any thread; must not block. Nothing happens by default. */
public interface DeliveryListener {

    /**
     * A job's bytes were written.
     *
     * @param job the job; its key proves what was delivered
     */
    default void delivered(IssuedJob<?> job) {}

    /** Something could not be delivered and a refresh must look at it. */
    default void refreshWanted() {}
}
