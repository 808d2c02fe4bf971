package org.prismpool.sharewriter.internal;

import java.util.List;
import java.util.Locale;
import org.prismpool.sharewriter.read.PageRequest;
import org.prismpool.sharewriter.read.Paged;

/** Searching and cutting of lists that are complete in memory. */
public final class Pages {

    private Pages() {}

    /**
     * Cuts a page out of a complete list.
     *
     * @param <T> row
     * @param rows all rows
     * @param page page
     * @return the page with the number of all rows
     */
    public static <T> Paged<T> cut(List<T> rows, PageRequest page) {
        int from = (int) Math.min(rows.size(), page.offset());
        int to = (int) Math.min(rows.size(), (long) from + page.limit());
        return new Paged<>(rows.size(), rows.subList(from, to));
    }

    /**
     * Tells whether a text contains what is searched for, in either case.
     *
     * @param text text
     * @param search what is searched for; everything contains the empty one
     * @return true if it does
     */
    public static boolean matches(String text, String search) {
        return text.toLowerCase(Locale.ROOT).contains(search.toLowerCase(Locale.ROOT));
    }
}
