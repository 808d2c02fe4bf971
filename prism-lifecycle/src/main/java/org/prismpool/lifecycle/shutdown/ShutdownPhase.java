package org.prismpool.lifecycle.shutdown;

import java.util.EnumSet;
import java.util.Set;

/** Where a process is between running and gone; the order is that of spec 08 section 3.1. */
public enum ShutdownPhase {
    /** Writers are admitted. */
    RUNNING,
    /** A stop was asked for; admission is closed. */
    REQUESTED,
    /** One caller owns the shutdown and waits for the open writers. */
    QUIESCING_WRITERS,
    /** No writer is open. */
    WRITERS_QUIESCED,
    /** The one release of the lease is under way; from here no writer is ever admitted. */
    RELEASING_LEASE,
    /** The lease is released, was not held, or there is none. */
    LEASE_RELEASED,
    /** The release failed; the lease ends by its lifetime. */
    LEASE_RELEASE_FAILED,
    /** The release did not answer in time; the lease ends by its lifetime. */
    LEASE_RELEASE_TIMED_OUT,
    /** The lease was kept on purpose because a writer did not finish. */
    RELEASE_WITHHELD,
    /** Everything that cannot write is being stopped. */
    DRAINING_NON_WRITERS,
    /** Nothing is left to do but to exit. */
    COMPLETE;

    private static final Set<ShutdownPhase> LEASE_HANDLED =
            EnumSet.of(LEASE_RELEASED, LEASE_RELEASE_FAILED, LEASE_RELEASE_TIMED_OUT, RELEASE_WITHHELD);

    /**
     * Tells whether the lease has been dealt with.
     *
     * @return true from the first phase after the release or the decision to withhold it
     */
    public boolean leaseHandled() {
        return compareTo(LEASE_RELEASED) >= 0;
    }

    /**
     * Tells whether one caller owns the shutdown.
     *
     * @return true from the writer barrier on
     */
    public boolean owned() {
        return compareTo(QUIESCING_WRITERS) >= 0;
    }

    /**
     * Tells whether the contract allows to go from here to another phase in one step.
     *
     * @param next the other phase
     * @return true if the step is allowed
     */
    public boolean mayMoveTo(ShutdownPhase next) {
        return switch (this) {
            case RUNNING -> next == REQUESTED || next == QUIESCING_WRITERS;
            case REQUESTED -> next == QUIESCING_WRITERS;
            case QUIESCING_WRITERS -> next == WRITERS_QUIESCED || next == RELEASE_WITHHELD;
            case WRITERS_QUIESCED -> next == RELEASING_LEASE || next == RELEASE_WITHHELD;
            case RELEASING_LEASE -> LEASE_HANDLED.contains(next) && next != RELEASE_WITHHELD;
            case LEASE_RELEASED, LEASE_RELEASE_FAILED, LEASE_RELEASE_TIMED_OUT, RELEASE_WITHHELD ->
                next == DRAINING_NON_WRITERS;
            case DRAINING_NON_WRITERS -> next == COMPLETE;
            case COMPLETE -> false;
        };
    }
}
