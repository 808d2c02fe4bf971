package org.prismpool.app.publicapi.query;

import java.util.Map;
import java.util.TreeMap;

/**
 * The part of a list that is asked for.
 *
 * @param number page, 1 or more
 * @param limit rows of a page, 1 to 100
 */
public record Page(int number, int limit) {

    /** Largest page. */
    public static final int MAX_LIMIT = 100;

    /** Checks both. */
    public Page {
        if (number < 1 || limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("no such page: " + number + " of " + limit + " rows");
        }
    }

    /**
     * Returns how many rows come before the page.
     *
     * @return 0 or more
     */
    public long offset() {
        return (number - 1L) * limit;
    }

    /**
     * Returns the member {@code pagination} of a list.
     *
     * @param totalCount rows of all pages, 0 or more
     * @return the members of the object
     */
    public Map<String, Object> pagination(long totalCount) {
        Map<String, Object> members = new TreeMap<>();
        members.put("page", number);
        members.put("limit", limit);
        members.put("total_count", totalCount);
        members.put("total_pages", (totalCount + limit - 1) / limit);
        return members;
    }
}
