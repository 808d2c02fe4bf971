package org.prismpool.sharewriter.postgres;

import java.util.Optional;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.LedgerMetrics;
import org.prismpool.sharewriter.lease.LeaseStore;
import org.prismpool.sharewriter.lease.WriterFence;
import org.prismpool.sharewriter.read.RewardWindowCache;

/**
 * One PostgreSQL database with all its connections: one for appends, pools for landing, outbox and reads, and separate
 * ones for the lease.
 *
 * <p>Thread-safe. Nothing is connected before it is used.
 */
public final class PostgresDatabase implements AutoCloseable {

    private final PostgresConfig config;
    private final Sessions sessions;
    private final Transactions transactions;
    private final WriterConnection writer;
    private final RewardWindowCache rewardWindows;

    private PostgresDatabase(PostgresConfig config, LedgerMetrics metrics, MonotonicClock clock) {
        this.config = config;
        this.sessions = new Sessions(config);
        this.transactions = new Transactions(sessions.landing(), sessions.outbox(), sessions.reads(), metrics);
        this.writer = new WriterConnection(sessions);
        this.rewardWindows = new RewardWindowCache(config.rewardWindowCache(), clock);
    }

    /**
     * Opens a database.
     *
     * @param config where it is and how to talk to it
     * @param metrics numbers of its calls
     * @param clock clock of caches
     * @return the database, to be closed after everything that uses it
     */
    public static PostgresDatabase open(PostgresConfig config, LedgerMetrics metrics, MonotonicClock clock) {
        return new PostgresDatabase(config, metrics, clock);
    }

    /**
     * Returns the schema's migrator.
     *
     * @return migrator on connections of its own
     */
    public SchemaMigrator migrator() {
        return new SchemaMigrator(config.target());
    }

    /**
     * Returns the lease row and guard.
     *
     * @return store on connections of its own
     */
    public LeaseStore leaseStore() {
        return new PostgresLeaseStore(sessions);
    }

    /**
     * Returns the ledger for the one writer.
     *
     * @param fence fence of the acquired lease
     * @return ledger whose every write is fenced by that session
     */
    public Ledger ledger(WriterFence fence) {
        return new PostgresLedger(Optional.of(fence), writer, transactions, rewardWindows);
    }

    /**
     * Returns the ledger for readers.
     *
     * @return ledger that refuses every write
     */
    public Ledger readOnly() {
        return new PostgresLedger(Optional.empty(), writer, transactions, rewardWindows);
    }

    @Override
    public void close() {
        writer.close();
        transactions.close();
    }
}
