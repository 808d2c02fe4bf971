package org.prismpool.lifecycle.health;

/** Port that counts clients. Thread-safe; called with no lock held, on the thread that asks for health; must not block. */
@FunctionalInterface
public interface ClientCountPort {

    /**
     * Counts.
     *
     * @param templateFingerprint fingerprint of the current work
     * @param payoutGeneration payout generation of the current work
     * @return the counts at some instant during the call
     */
    ClientCounts count(String templateFingerprint, long payoutGeneration);
}
