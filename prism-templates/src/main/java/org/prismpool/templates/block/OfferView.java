package org.prismpool.templates.block;

import java.util.Optional;
import org.prismpool.templates.chain.Hash256;

/**
 * Port to what the process knows in memory when a block is offered. Thread-safe; never blocks.
 */
public interface OfferView {

    /**
     * Returns the newest tip that any channel has seen.
     *
     * @return detected tip, or empty before the first
     */
    Optional<Hash256> detectedTip();

    /**
     * Returns the tip that miners' work extends.
     *
     * @return published tip, or empty before the first
     */
    Optional<Hash256> publishedTip();

    /**
     * Tells whether this process is known to have lost the writer lease; it then makes no offer.
     *
     * @return true only for a known loss
     */
    boolean writerLeaseLost();
}
