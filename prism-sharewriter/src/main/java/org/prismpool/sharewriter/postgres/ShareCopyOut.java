package org.prismpool.sharewriter.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.LedgerDeadlineException;
import org.prismpool.sharewriter.StoredShare;
import org.prismpool.sharewriter.window.ShareCursor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Streams shares of one snapshot in the server's binary bulk form: the server sends on while the reader decodes, and
 * nothing is held but the row at hand.
 */
final class ShareCopyOut implements ShareCursor {

    private static final Logger LOG = LoggerFactory.getLogger(ShareCopyOut.class);
    private static final int HEADER = 19; // signature, flags, length of the extension

    private final SessionPool pool;
    private final Connection connection;
    private final Deadline deadline;
    private final SharePages pages;
    private final ShareDecoder decoder = new ShareDecoder();
    private @Nullable CopyOut copy; // null between two queries
    private boolean afterHeader;
    private boolean ended;
    private boolean closed;

    private ShareCopyOut(SessionPool pool, Connection connection, Deadline deadline, SharePages pages) {
        this.pool = pool;
        this.connection = connection;
        this.deadline = deadline;
        this.pages = pages;
    }

    static ShareCursor open(SessionPool pool, Deadline deadline, SharePages pages) {
        pool.acquire(deadline);
        Connection connection = null;
        try {
            connection = pool.connection();
            connection.setAutoCommit(false);
            Transactions.budget(connection, deadline);
            if (pages.alongTheSequence()) {
                takeTheIndex(connection);
            }
            ShareCopyOut opened = new ShareCopyOut(pool, connection, deadline, pages);
            opened.ask();
            return opened;
        } catch (SQLException | RuntimeException failure) {
            try {
                Transactions.giveBack(pool, connection);
            } finally {
                pool.release();
            }
            throw Transactions.translate(failure);
        }
    }

    private static void takeTheIndex(Connection connection) throws SQLException {
        try (Statement plan = connection.createStatement()) {
            plan.execute(SharePages.ALONG_THE_SEQUENCE);
        }
    }

    private void ask() throws SQLException {
        Optional<String> query = pages.next();
        if (query.isEmpty()) {
            ended = true;
            return;
        }
        if (deadline.expired()) {
            throw new LedgerDeadlineException("the deadline of " + deadline.owner() + " passed during a read");
        }
        copy = connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyOut("COPY (" + query.get() + ") TO STDOUT (FORMAT binary)");
        afterHeader = false;
    }

    @Override
    public boolean advance(Consumer<? super StoredShare> row) {
        StoredShare share;
        try {
            share = next();
        } catch (SQLException failure) {
            throw SqlFailures.of(failure);
        }
        if (share == null) {
            return false;
        }
        ended = pages.last(share);
        row.accept(share);
        return true;
    }

    private @Nullable StoredShare next() throws SQLException {
        while (!ended) {
            CopyOut open = copy;
            byte[] message = open == null ? null : open.readFromCopy();
            if (message == null) {
                ask();
                continue;
            }
            int from = afterHeader ? 0 : HEADER;
            afterHeader = true;
            if (ShareDecoder.startsAt(message, from)) {
                return decoder.decode(message, from);
            }
        }
        return null;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (ended && drained()) {
                Transactions.giveBack(pool, connection);
            } else {
                abandon();
            }
        } finally {
            pool.release();
        }
    }

    /** Takes the few rows of the last page that nobody needs; false if they do not come. */
    private boolean drained() {
        CopyOut open = copy;
        try {
            while (open != null && open.isActive() && open.readFromCopy() != null) {
                // not needed
            }
            return true;
        } catch (SQLException broken) {
            return false;
        }
    }

    /**
     * Rows are under way, and the driver would wait for them: the server finds nobody there. The pool forgets the
     * connection instead of finding it broken, since it reports every loss that it finds.
     */
    private void abandon() {
        try {
            connection.abort(Runnable::run);
            pool.evict(connection);
            connection.close();
        } catch (SQLException broken) {
            LOG.atDebug().setCause(broken).log("closing an abandoned read failed");
        }
    }
}
