package org.prismpool.sharewriter.read;

import java.util.List;

/**
 * Rows of one page, and how many rows all pages have.
 *
 * @param <T> row
 * @param totalCount rows of all pages, 0 or more
 * @param rows rows of this page, empty beyond the last one
 */
public record Paged<T>(long totalCount, List<T> rows) {

    /** Copies the list. */
    public Paged {
        rows = List.copyOf(rows);
    }
}
