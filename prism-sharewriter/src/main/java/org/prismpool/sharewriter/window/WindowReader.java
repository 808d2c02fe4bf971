package org.prismpool.sharewriter.window;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.StoredShare;

/**
 * Reads of reward windows (ledger contract §4): the newest shares that carry a given amount of work.
 *
 * <p>A row is eligible at an anchor if job and acceptance are not later than it. Cost follows the window, never the
 * history. Thread-safe; every read is one read-only snapshot on a read connection.
 */
public interface WindowReader {

    /** A window's work as a multiple of the network difficulty. */
    BigInteger AUDIT_MULTIPLIER = BigInteger.valueOf(8);

    /**
     * Opens a window, newest share first: rows whose work before them, counted from the newest, is below the weight.
     *
     * @param anchorMs anchor in Unix milliseconds, inclusive
     * @param weight work to cover; the share that crosses it is included whole
     * @param deadline end of the whole read
     * @return cursor in descending sequence
     */
    ShareCursor open(long anchorMs, BigInteger weight, Deadline deadline);

    /**
     * Opens the rows that became eligible between two anchors, in ascending sequence.
     *
     * @param afterMs older anchor, exclusive
     * @param anchorMs newer anchor, inclusive; equal gives nothing
     * @param deadline end of the whole read
     * @return cursor in ascending sequence
     * @throws IllegalArgumentException if the newer anchor is the earlier one
     */
    ShareCursor openDelta(long afterMs, long anchorMs, Deadline deadline);

    /**
     * Opens all accepted shares from a template height on, in ascending sequence.
     *
     * @param templateHeight lowest template height
     * @param deadline end of the whole read
     * @return cursor in ascending sequence
     */
    ShareCursor openSinceTemplateHeight(long templateHeight, Deadline deadline);

    /**
     * Opens the accepted shares of a range of sequences, ascending; a hole in the ledger is a hole in the answer.
     *
     * @param firstShareSeq lowest sequence
     * @param lastShareSeq highest sequence, inclusive; below the lowest gives nothing
     * @param deadline end of the whole read
     * @return cursor in ascending sequence
     */
    ShareCursor openRange(long firstShareSeq, long lastShareSeq, Deadline deadline);

    /**
     * Reads the exact window of an audit, newest first: eight times the network difficulty, the last share in part.
     *
     * @param anchorMs anchor in Unix milliseconds, inclusive
     * @param networkDifficulty scaled network difficulty, above 0
     * @param deadline end of the read
     * @return counted shares in descending sequence
     */
    List<CountedShare> auditWindow(long anchorMs, BigInteger networkDifficulty, Deadline deadline);

    /**
     * Reads a window into a list in ascending sequence.
     *
     * @param anchorMs anchor in Unix milliseconds, inclusive
     * @param weight work to cover
     * @param deadline end of the read
     * @return shares, oldest first
     */
    default List<StoredShare> snapshot(long anchorMs, BigInteger weight, Deadline deadline) {
        List<StoredShare> rows = new ArrayList<>();
        try (ShareCursor cursor = open(anchorMs, weight, deadline)) {
            while (cursor.advance(rows::add)) {
                deadline.check("window read");
            }
        }
        Collections.reverse(rows);
        return rows;
    }

    /**
     * Reads the newly eligible rows between two anchors into a list.
     *
     * @param afterMs older anchor, exclusive
     * @param anchorMs newer anchor, inclusive
     * @param deadline end of the read
     * @return shares, ascending sequence
     */
    default List<StoredShare> delta(long afterMs, long anchorMs, Deadline deadline) {
        List<StoredShare> rows = new ArrayList<>();
        try (ShareCursor cursor = openDelta(afterMs, anchorMs, deadline)) {
            while (cursor.advance(rows::add)) {
                deadline.check("window delta read");
            }
        }
        return rows;
    }

    /**
     * Reads the accepted shares of a range of sequences into a list.
     *
     * @param firstShareSeq lowest sequence
     * @param lastShareSeq highest sequence, inclusive
     * @param deadline end of the read
     * @return shares, ascending sequence
     */
    default List<StoredShare> range(long firstShareSeq, long lastShareSeq, Deadline deadline) {
        List<StoredShare> rows = new ArrayList<>();
        try (ShareCursor cursor = openRange(firstShareSeq, lastShareSeq, deadline)) {
            while (cursor.advance(rows::add)) {
                deadline.check("share range read");
            }
        }
        return rows;
    }
}
