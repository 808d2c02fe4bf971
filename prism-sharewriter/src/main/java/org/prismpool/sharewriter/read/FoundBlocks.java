package org.prismpool.sharewriter.read;

import java.util.Optional;
import org.prismpool.lifecycle.time.Deadline;

/**
 * Landed blocks that were not reversed, highest first; of the same height the newest first (lifecycle contract §7.7,
 * blocks).
 *
 * <p>Thread-safe and blocking; failures as in {@link PublicReads}.
 */
public interface FoundBlocks {

    /**
     * Reads a page of blocks.
     *
     * @param page page
     * @param deadline end of the read
     * @return blocks of the page
     */
    Paged<FoundBlock> page(PageRequest page, Deadline deadline);

    /**
     * Reads the first block of the first page.
     *
     * @param deadline end of the read
     * @return the block, empty before the first one
     */
    Optional<FoundBlock> latest(Deadline deadline);
}
