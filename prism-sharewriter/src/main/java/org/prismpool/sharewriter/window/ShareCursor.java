package org.prismpool.sharewriter.window;

import java.util.function.Consumer;
import org.prismpool.sharewriter.StoredShare;

/**
 * Open read over one snapshot of the ledger, row by row and never materialised twice.
 *
 * <p>Single-threaded; holds a database connection until closed.
 */
public interface ShareCursor extends AutoCloseable {

    /**
     * Hands the next row over.
     *
     * @param row receives it; must not keep the cursor busy with other reads of the same connection
     * @return false at the end, without a call
     * @throws org.prismpool.sharewriter.LedgerException if the read breaks or its deadline passes
     */
    boolean advance(Consumer<? super StoredShare> row);

    /** Ends the snapshot and frees its connection; safe to repeat. */
    @Override
    void close();
}
