package org.prismpool.sharewriter.lease;

import java.time.Duration;
import java.util.Optional;

/** Port for what the acquisition of a lease is doing; called on the acquiring thread, must not block. */
public interface LeaseEvents {

    /** Events nobody listens to. */
    LeaseEvents NONE = new LeaseEvents() {};

    /**
     * The acquisition waits.
     *
     * @param holder who holds the lease, empty while another session holds the guard
     * @param next time until the next try
     * @param waited time waited so far
     */
    default void waiting(Optional<LeaseHolder> holder, Duration next, Duration waited) {}

    /**
     * The lease is held.
     *
     * @param adopted true if a silent predecessor was taken over before its lease expired
     * @param waited time waited
     */
    default void acquired(boolean adopted, Duration waited) {}
}
