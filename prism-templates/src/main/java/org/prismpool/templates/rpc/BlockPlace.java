package org.prismpool.templates.rpc;

/**
 * Where a block stands that the node knows.
 *
 * @param height its height
 * @param confirmations one or more on the active chain, otherwise not active
 */
public record BlockPlace(long height, long confirmations) {

    /**
     * Tells whether the block is part of the active chain.
     *
     * @return true with at least one confirmation
     */
    public boolean active() {
        return confirmations > 0;
    }
}
