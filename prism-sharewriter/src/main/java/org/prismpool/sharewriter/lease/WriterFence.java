package org.prismpool.sharewriter.lease;

import java.time.Duration;
import org.prismpool.sharewriter.WriterFencedException;

/**
 * Token that every mutating transaction needs: it names the exact session whose lease row is checked and renewed first.
 *
 * <p>Thread-safe. Once closed every further write is refused in this process: a write after the release would revive
 * the lease.
 */
public final class WriterFence {

    private final LeaseIdentity identity;
    private final Duration ttl;
    private volatile boolean closed;

    /**
     * Creates an open fence.
     *
     * @param identity session that writes
     * @param ttl life of the lease after each write
     */
    public WriterFence(LeaseIdentity identity, Duration ttl) {
        this.identity = identity;
        this.ttl = ttl;
    }

    /**
     * Returns the session.
     *
     * @return identity
     */
    public LeaseIdentity identity() {
        return identity;
    }

    /**
     * Returns the life of the lease after a write.
     *
     * @return time to live
     */
    public Duration ttl() {
        return ttl;
    }

    /**
     * Refuses if this session must not write any more.
     *
     * @throws WriterFencedException once closed
     */
    public void check() {
        if (closed) {
            throw new WriterFencedException("writer lease is not active");
        }
    }

    /** Closes the fence for good. */
    public void close() {
        closed = true;
    }
}
