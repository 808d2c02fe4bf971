package org.prismpool.sharewriter.postgres;

import java.util.Optional;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.LedgerMetrics;
import org.prismpool.sharewriter.read.ReplicaProbe;
import org.prismpool.sharewriter.read.RewardWindowCache;

/**
 * A database that is only read: a standby, or a primary through a role that may only select (ledger contract §9.1).
 *
 * <p>Thread-safe. All sessions are read-only by their own default and belong to one pool of
 * {@link PostgresConfig#readConcurrency()} connections; there is no lease, no guard and no schema change. Nothing is
 * connected before it is used.
 */
public final class ReadOnlyDatabase implements AutoCloseable {

    private final Transactions transactions;
    private final Ledger ledger;
    private final ReplicaProbe replica;

    private ReadOnlyDatabase(PostgresConfig config, LedgerMetrics metrics, MonotonicClock clock) {
        Sessions sessions = new Sessions(config);
        RewardWindowCache rewardWindows = new RewardWindowCache(config.rewardWindowCache(), clock);
        this.transactions = Transactions.readOnly(sessions.reads(), metrics);
        // Without a fence the append path refuses before it connects, so this connection is never made.
        WriterConnection never = new WriterConnection(sessions);
        this.ledger = new PostgresLedger(Optional.empty(), never, transactions, rewardWindows);
        this.replica = new PostgresReplicaProbe(transactions);
    }

    /**
     * Opens a database.
     *
     * @param config where it is and how to talk to it
     * @param metrics numbers of its calls
     * @param clock clock of caches
     * @return the database, to be closed after everything that uses it
     */
    public static ReadOnlyDatabase open(PostgresConfig config, LedgerMetrics metrics, MonotonicClock clock) {
        return new ReadOnlyDatabase(config, metrics, clock);
    }

    /**
     * Returns the ledger.
     *
     * @return ledger that refuses every write with {@link org.prismpool.sharewriter.WriterFencedException}
     */
    public Ledger ledger() {
        return ledger;
    }

    /**
     * Returns the question whether the server is a standby, and how fresh.
     *
     * @return probe on the same connections
     */
    public ReplicaProbe replica() {
        return replica;
    }

    @Override
    public void close() {
        transactions.close();
    }
}
