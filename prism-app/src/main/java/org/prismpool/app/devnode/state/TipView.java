package org.prismpool.app.devnode.state;

import org.prismpool.templates.chain.Hash256;

/**
 * What waiters look at.
 *
 * @param hash hash of the tip
 * @param height height of the tip
 * @param mempoolChanges change counter of the mempool
 * @param version grows with each change; a view that overtook a newer one is told by it
 */
public record TipView(Hash256 hash, int height, long mempoolChanges, long version) {

    boolean showsTheSameAs(TipView other) {
        return hash.equals(other.hash) && mempoolChanges == other.mempoolChanges;
    }
}
