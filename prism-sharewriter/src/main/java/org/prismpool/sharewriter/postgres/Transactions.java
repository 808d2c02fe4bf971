package org.prismpool.sharewriter.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.ExecuteListener;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.LedgerDeadlineException;
import org.prismpool.sharewriter.LedgerException;
import org.prismpool.sharewriter.LedgerMetrics;
import org.prismpool.sharewriter.LedgerMetrics.CallClass;
import org.prismpool.sharewriter.LedgerUnavailableException;
import org.prismpool.sharewriter.WriterFencedException;
import org.prismpool.sharewriter.lease.WriterFence;

/**
 * Runs reads in one snapshot and writes in one fenced transaction, each under the caller's deadline.
 *
 * <p>Thread-safe. A read that lost its connection, or that a standby cancelled for its replay, is repeated once; a write never
 * is: its outcome is unknown.
 */
final class Transactions implements AutoCloseable {

    /**
     * Raises a weaker durability to {@code on} and leaves a stricter one; with the fence in one statement, so that an
     * append needs no extra round trip.
     */
    static final String FENCE_SQL = "UPDATE qbit_ledger_writer_lease"
            + " SET lease_expires_at = clock_timestamp() + ? * interval '1 millisecond', updated_at = clock_timestamp()"
            + " WHERE singleton AND writer_id = ? AND writer_epoch = ? AND writer_session_token = ?"
            + " RETURNING CASE WHEN current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')"
            + " THEN set_config('synchronous_commit', 'on', true) ELSE current_setting('synchronous_commit') END";

    /** Whether the lease is this session's; for statements that travel with the fence and cannot see what it said. */
    static final String HELD_SQL = "EXISTS (SELECT FROM qbit_ledger_writer_lease WHERE singleton AND writer_id = ?"
            + " AND writer_epoch = ? AND writer_session_token = ?)";

    private static final String BUDGET_SQL =
            "SELECT set_config('statement_timeout', ?, true), set_config('lock_timeout', ?, true)";

    private static final Duration SOCKET_GRACE = Duration.ofSeconds(2);

    private final SessionPool landing;
    private final SessionPool outbox;
    private final SessionPool reads;
    private final LedgerMetrics metrics;

    Transactions(SessionPool landing, SessionPool outbox, SessionPool reads, LedgerMetrics metrics) {
        this.landing = landing;
        this.outbox = outbox;
        this.reads = reads;
        this.metrics = metrics;
    }

    /** Reads only, all of them on one pool: with nothing to write, block work has no sessions of its own. */
    static Transactions readOnly(SessionPool reads, LedgerMetrics metrics) {
        return new Transactions(reads, reads, reads, metrics);
    }

    SessionPool reads() {
        return reads;
    }

    LedgerMetrics metrics() {
        return metrics;
    }

    /** Reads in one snapshot: sessions of the read pool are repeatable and read-only. */
    <T> T read(Deadline deadline, Function<DSLContext, T> body) {
        try {
            return snapshot(deadline, body);
        } catch (LedgerUnavailableException lost) {
            return snapshot(deadline, body);
        } catch (LedgerDeadlineException cancelled) {
            if (!SqlFailures.recoveryConflict(cancelled)) {
                throw cancelled;
            }
            return snapshot(deadline, body); // from here on the standby's snapshot is a later one
        }
    }

    private <T> T snapshot(Deadline deadline, Function<DSLContext, T> body) {
        return run(reads, deadline, connection -> {
            budget(connection, deadline);
            DSLContext sql = DSL.using(connection, SQLDialect.POSTGRES);
            sql.configuration().set(ExecuteListener.onStart(next -> requireTime(deadline)));
            return body.apply(sql);
        });
    }

    /** The server bounds each statement, not their number. */
    private static void requireTime(Deadline deadline) {
        if (deadline.expired()) {
            throw new LedgerDeadlineException("the deadline of " + deadline.owner() + " passed between two statements");
        }
    }

    /** Reads for block work on a write session, so that a busy read pool cannot starve it. */
    <T> T blockRead(CallClass callClass, Deadline deadline, Function<DSLContext, T> body) {
        return measured(
                callClass,
                deadline,
                () -> run(pool(callClass), deadline, connection -> {
                    budget(connection, deadline);
                    return body.apply(DSL.using(connection, SQLDialect.POSTGRES));
                }));
    }

    /** Writes under the fence: the lease row is the first row locked; without it nothing is written. */
    <T> T fenced(CallClass callClass, Optional<WriterFence> fence, Deadline deadline, Function<DSLContext, T> body) {
        WriterFence open = open(fence);
        return measured(
                callClass,
                deadline,
                () -> run(pool(callClass), deadline, connection -> {
                    budget(connection, deadline);
                    if (!pass(connection, open)) {
                        throw new WriterFencedException(SqlFailures.FENCED);
                    }
                    T result = body.apply(DSL.using(connection, SQLDialect.POSTGRES));
                    open.check();
                    return result;
                }));
    }

    /** Writes through a function of the schema, or a request, that contains the fence itself. */
    <T> T selfFenced(Optional<WriterFence> fence, Deadline deadline, Function<DSLContext, T> body) {
        open(fence);
        return measured(
                CallClass.LANDING,
                deadline,
                () -> run(landing, deadline, connection -> {
                    budget(connection, deadline);
                    try (PreparedStatement durable = connection.prepareStatement(
                            "SELECT set_config('synchronous_commit', 'on', true)"
                                    + " WHERE current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')")) {
                        durable.execute();
                    }
                    return body.apply(DSL.using(connection, SQLDialect.POSTGRES));
                }));
    }

    /** Renews the lease of exactly this session; false if it holds none. */
    static boolean pass(Connection connection, WriterFence fence) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(FENCE_SQL)) {
            bindFence(statement, fence);
            try (ResultSet row = statement.executeQuery()) {
                return row.next();
            }
        }
    }

    /** Binds the parameters of {@link #FENCE_SQL}; returns their number. */
    static int bindFence(PreparedStatement statement, WriterFence fence) throws SQLException {
        statement.setLong(1, fence.ttl().toMillis());
        return bindHeld(statement, 1, fence);
    }

    /** Binds the parameters of {@link #HELD_SQL} behind others; returns the number of all that are bound. */
    static int bindHeld(PreparedStatement statement, int bound, WriterFence fence) throws SQLException {
        statement.setString(bound + 1, fence.identity().writerId());
        statement.setLong(bound + 2, fence.identity().epoch());
        statement.setString(bound + 3, fence.identity().sessionToken());
        return bound + 3;
    }

    static WriterFence open(Optional<WriterFence> fence) {
        WriterFence open =
                fence.orElseThrow(() -> new WriterFencedException("this ledger is read-only: it has no writer lease"));
        open.check();
        return open;
    }

    private SessionPool pool(CallClass callClass) {
        return callClass == CallClass.FAST ? outbox : landing;
    }

    private <T> T measured(CallClass callClass, Deadline deadline, java.util.function.Supplier<T> call) {
        Duration budget = deadline.remaining();
        long start = System.nanoTime();
        boolean timedOut = false;
        try {
            return call.get();
        } catch (LedgerDeadlineException late) {
            timedOut = true;
            throw late;
        } finally {
            metrics.blockCall(callClass, budget, Duration.ofNanos(System.nanoTime() - start), timedOut);
        }
    }

    private static <T> T run(SessionPool pool, Deadline deadline, SessionPool.Work<T> work) {
        pool.acquire(deadline);
        try {
            return transaction(pool, deadline, work);
        } finally {
            pool.release();
        }
    }

    private static <T> T transaction(SessionPool pool, Deadline deadline, SessionPool.Work<T> work) {
        try (Connection connection = pool.connection()) {
            boolean committed = false;
            try {
                connection.setAutoCommit(false);
                long socket = Math.min(Integer.MAX_VALUE, millis(deadline) + SOCKET_GRACE.toMillis());
                connection.setNetworkTimeout(Runnable::run, (int) socket);
                T result = work.on(connection);
                connection.commit();
                committed = true;
                return result;
            } catch (DataAccessException failure) {
                throw SqlFailures.of(failure);
            } catch (SQLException failure) {
                throw SqlFailures.of(failure);
            } finally {
                if (!committed) {
                    rollBack(pool, connection);
                }
            }
        } catch (SQLException failure) {
            throw SqlFailures.of(failure);
        }
    }

    private static void rollBack(SessionPool pool, Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException broken) {
            pool.evict(connection);
        }
    }

    static void budget(Connection connection, Deadline deadline) throws SQLException {
        if (deadline.expired()) {
            throw new LedgerDeadlineException("the deadline of " + deadline.owner() + " passed before its transaction");
        }
        String millis = String.valueOf(millis(deadline));
        try (PreparedStatement statement = connection.prepareStatement(BUDGET_SQL)) {
            statement.setString(1, millis);
            statement.setString(2, millis);
            statement.execute();
        }
    }

    private static long millis(Deadline deadline) {
        return Math.max(1, Math.min(Integer.MAX_VALUE / 2, deadline.remaining().toMillis()));
    }

    /** Ends a read and gives its connection back; safe with none. */
    static void giveBack(SessionPool pool, @Nullable Connection connection) {
        if (connection == null) {
            return;
        }
        rollBack(pool, connection);
        try {
            connection.close();
        } catch (SQLException broken) {
            pool.evict(connection);
        }
    }

    /** Turns the driver's failures of a long read into the ledger's. */
    static LedgerException translate(Exception failure) {
        if (failure instanceof SQLException sql) {
            return SqlFailures.of(sql);
        }
        if (failure instanceof DataAccessException access) {
            return SqlFailures.of(access);
        }
        if (failure instanceof LedgerException known) {
            return known;
        }
        return new LedgerUnavailableException("unexpected failure of a read", failure);
    }

    @Override
    public void close() {
        landing.close();
        outbox.close();
        reads.close();
    }
}
