package org.prismpool.lifecycle.shutdown;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.prismpool.lifecycle.time.Deadline;

/**
 * A lease port for a controller that exists before the lease is acquired; until then it stands for no lease.
 *
 * <p>Thread-safe. Once the release has begun no lease can be put in: a start that acquires one too late is told so and
 * gives it back itself.
 */
public final class LeaseSlot implements LeasePort {

    private Optional<LeasePort> lease = Optional.empty(); // guarded by this, like the flag
    private boolean taken;

    /** Creates an empty slot. */
    public LeaseSlot() {}

    /**
     * Puts the acquired lease in.
     *
     * @param acquired the lease that the shutdown has to release
     * @return false if the release has already begun without it, so that the caller must release it
     * @throws IllegalStateException if the slot holds a lease already
     */
    public synchronized boolean acquired(LeasePort acquired) {
        if (taken) {
            return false;
        }
        if (lease.isPresent()) {
            throw new IllegalStateException("the slot holds a lease already");
        }
        lease = Optional.of(acquired);
        return true;
    }

    @Override
    public boolean supported() {
        return take().supported();
    }

    @Override
    public boolean stopHeartbeat(Duration bound, Set<Thread> waitingForRelease) {
        return take().stopHeartbeat(bound, waitingForRelease);
    }

    @Override
    public Outcome release(Deadline deadline) {
        return take().release(deadline);
    }

    @Override
    public Outcome releaseFreshConnection(Deadline deadline) {
        return take().releaseFreshConnection(deadline);
    }

    private synchronized LeasePort take() {
        taken = true;
        return lease.orElseGet(LeasePort::none);
    }
}
