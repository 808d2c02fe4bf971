package org.prismpool.payout.state;

/**
 * An anchor that counts as live while a window is read or a block lands at it. Closed when the result is visible
 * elsewhere or provably dead; forgotten by itself after the maximum anchor age.
 */
public interface AnchorExposure extends AutoCloseable {

    /**
     * Returns the exposed anchor.
     *
     * @return milliseconds since the epoch
     */
    long anchorMs();

    /**
     * Returns the append epoch at the moment of exposure.
     *
     * @return epoch that the result is to be stamped with
     */
    long epoch();

    /** Retires the anchor; without effect the second time. */
    @Override
    void close();
}
