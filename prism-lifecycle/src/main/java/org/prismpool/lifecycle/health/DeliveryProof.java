package org.prismpool.lifecycle.health;

import java.util.Objects;

/**
 * Proof that a job was written to a miner's socket; a job that is merely registered is none.
 *
 * @param connectionId connection that got it
 * @param work what it was
 * @param collectionOnly whether it pays the pool alone because too few miners are ready
 * @param deliveredNanos reading of the monotonic clock when it was written
 */
public record DeliveryProof(long connectionId, WorkGeneration work, boolean collectionOnly, long deliveredNanos) {

    /** Checks that there is work. */
    public DeliveryProof {
        Objects.requireNonNull(work, "work");
    }
}
