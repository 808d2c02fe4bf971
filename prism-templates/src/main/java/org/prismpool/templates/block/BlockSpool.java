package org.prismpool.templates.block;

import java.io.IOException;
import java.util.List;
import org.prismpool.templates.chain.Hash256;

/**
 * Port to the files that hold candidates which the database did not take.
 *
 * <p>Thread-safe and blocking on the file system only.
 */
public interface BlockSpool {

    /**
     * Writes a candidate and forces it to the disk; writing it again changes nothing.
     *
     * @param candidate candidate without a durable row
     * @throws IOException if it could not be made durable
     */
    void write(BlockCandidate candidate) throws IOException;

    /**
     * Reads all spooled candidates; a file that can't be read is reported by the implementation and left in place.
     *
     * @return candidates in any order
     * @throws IOException if the directory can't be read
     */
    List<BlockCandidate> readAll() throws IOException;

    /**
     * Deletes the file of a candidate whose row is durable; without effect if there is none.
     *
     * @param hash block hash
     * @throws IOException if the file remains
     */
    void delete(Hash256 hash) throws IOException;
}
