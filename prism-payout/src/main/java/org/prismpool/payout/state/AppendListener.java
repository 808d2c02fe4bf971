package org.prismpool.payout.state;

/** Told of every append-epoch bump, on the appending thread, with no lock and no fence held. */
@FunctionalInterface
public interface AppendListener {

    /**
     * A row became durable below a live anchor: ready work of older epochs is stale and a refresh is wanted.
     *
     * @param epoch the new append epoch
     * @param visibleFromMs smallest anchor that is affected; windows anchored before it stay valid
     */
    void bumped(long epoch, long visibleFromMs);
}
