package org.prismpool.sharewriter.read;

/**
 * One page of an ordered list.
 *
 * @param page number of the page, from 1
 * @param limit most rows of a page, 1 or more
 */
public record PageRequest(int page, int limit) {

    /** Checks the ranges. */
    public PageRequest {
        if (page < 1 || limit < 1) {
            throw new IllegalArgumentException("page and limit must be 1 or more");
        }
    }

    /**
     * Returns the number of rows on the pages before.
     *
     * @return rows to skip, 0 or more
     */
    public long offset() {
        return (page - 1L) * limit;
    }
}
