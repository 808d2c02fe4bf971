package org.prismpool.lifecycle.health;

/** Port that collects the base of health. Called on the refresher's thread only; may read the ledger. */
@FunctionalInterface
public interface BaseHealthPort {

    /**
     * Collects once.
     *
     * @return a consistent copy
     * @throws Exception if it cannot be collected; the last one stays, and grows old
     */
    BaseHealth collect() throws Exception;
}
