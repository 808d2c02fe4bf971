package org.prismpool.bundle;

/**
 * Announces publication work before its request exists: routine constructions in progress are cancelled and new ones
 * wait while it is held. Reservations nest; each one counts.
 */
public interface PriorityReservation extends AutoCloseable {

    /** Releases the reservation; without effect the second time. */
    @Override
    void close();
}
