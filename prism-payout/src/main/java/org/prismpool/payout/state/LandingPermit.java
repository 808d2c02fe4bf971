package org.prismpool.payout.state;

/** Holds the landing fence while a block is offered to the node; no row below its anchor becomes durable meanwhile. */
public interface LandingPermit extends AutoCloseable {

    /** Releases the fence; without effect the second time. */
    @Override
    void close();
}
