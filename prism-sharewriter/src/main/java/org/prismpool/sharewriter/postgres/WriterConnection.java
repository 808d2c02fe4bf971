package org.prismpool.sharewriter.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.prismpool.sharewriter.LedgerException;

/**
 * The one connection of the append path: opened when needed, thrown away after any failure whose state is unknown.
 *
 * <p>Confined to the thread that appends; {@link #close} may come from another thread.
 */
final class WriterConnection implements AutoCloseable {

    /**
     * Every lookup of this session is by unique key. A plan made while a table was empty must not scan it once it is
     * large; then it may as well be made once.
     */
    static final String LOOKUPS_BY_KEY = "SET enable_seqscan = off; SET enable_bitmapscan = off;"
            + " SET enable_hashjoin = off; SET enable_mergejoin = off; SET plan_cache_mode = force_generic_plan";

    private final Sessions sessions;
    private volatile @Nullable Connection connection;
    private volatile boolean closed;

    WriterConnection(Sessions sessions) {
        this.sessions = sessions;
    }

    /** Runs a transaction; the work may have committed it already. */
    <T> T transaction(SessionPool.Work<T> work) {
        Connection open = open();
        boolean committed = false;
        try {
            T result = work.on(open);
            open.commit();
            committed = true;
            return result;
        } catch (SQLException failure) {
            throw SqlFailures.of(failure);
        } finally {
            if (!committed) {
                rollBack(open);
            }
        }
    }

    private Connection open() {
        Connection current = connection;
        if (current != null) {
            return current;
        }
        Duration bound = sessions.config().operationTimeout();
        Connection fresh =
                sessions.open(sessions.writerName(), sessions.config().connectTimeout(), bound, bound.plusSeconds(5));
        try {
            fresh.setAutoCommit(false);
            try (Statement plan = fresh.createStatement()) {
                plan.execute(LOOKUPS_BY_KEY);
            }
            fresh.commit();
        } catch (SQLException failure) {
            discard(fresh);
            throw SqlFailures.of(failure);
        }
        connection = fresh;
        if (closed) {
            close();
        }
        return fresh;
    }

    private void rollBack(Connection open) {
        try {
            open.rollback();
        } catch (SQLException broken) {
            connection = null;
            discard(open);
        }
    }

    private static void discard(Connection open) {
        try {
            open.close();
        } catch (SQLException alreadyBroken) {
            LedgerException ignored = SqlFailures.of(alreadyBroken);
            org.slf4j.LoggerFactory.getLogger(WriterConnection.class)
                    .atDebug()
                    .addKeyValue("reason", ignored.getMessage())
                    .log("closing a broken writer connection failed");
        }
    }

    @Override
    public void close() {
        closed = true;
        Connection open = connection;
        connection = null;
        if (open != null) {
            discard(open);
        }
    }
}
