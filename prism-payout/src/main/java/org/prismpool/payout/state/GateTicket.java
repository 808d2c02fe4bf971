package org.prismpool.payout.state;

/**
 * One admitted delivery. Closing it lets a waiting publisher go on; the holder must close it on every path.
 *
 * <p>Thread-safe; only the first call of either method counts. Never blocks.
 */
public interface GateTicket extends AutoCloseable {

    /** Leaves the gate after the socket write succeeded; a priority delivery thereby uses up its reservation. */
    void delivered();

    /** Leaves the gate without a delivery; without effect after {@link #delivered()}. */
    @Override
    void close();
}
