package org.prismpool.payout.audit;

import java.io.IOException;

/** Access to the files that a compact body refers to. */
interface SegmentFiles {

    /**
     * Reads a file whole.
     *
     * @param bodyUri the reference in the body
     * @return its bytes
     * @throws IOException if it cannot be read
     */
    byte[] read(String bodyUri) throws IOException;

    /**
     * Returns how messages name the file.
     *
     * @param bodyUri the reference in the body
     * @return a path
     */
    String describe(String bodyUri);
}
