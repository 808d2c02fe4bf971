package org.prismpool.sharewriter.postgres;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.LedgerDeadlineException;

/** A connection pool whose wait for a connection obeys the caller's deadline. Thread-safe. */
final class SessionPool implements AutoCloseable {

    private final HikariDataSource source;
    private final Semaphore slots;

    SessionPool(HikariDataSource source) {
        this.source = source;
        this.slots = new Semaphore(source.getMaximumPoolSize(), true);
    }

    /** Work with one connection; commit and rollback are the pool's affair. */
    @FunctionalInterface
    interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    /** Takes a slot; {@link #release} must follow. */
    void acquire(Deadline deadline) {
        try {
            if (!slots.tryAcquire(deadline.remainingNanos(), TimeUnit.NANOSECONDS)) {
                throw new LedgerDeadlineException("no " + source.getPoolName() + " connection became free in time");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new LedgerDeadlineException("interrupted while waiting for a connection", interrupted);
        }
    }

    void release() {
        slots.release();
    }

    Connection connection() throws SQLException {
        return source.getConnection();
    }

    /** Keeps a connection whose state is unknown out of the pool. */
    void evict(Connection connection) {
        source.evictConnection(connection);
    }

    @Override
    public void close() {
        source.close();
    }
}
