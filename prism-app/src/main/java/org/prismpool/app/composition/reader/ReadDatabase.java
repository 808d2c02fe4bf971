package org.prismpool.app.composition.reader;

import java.time.Duration;
import org.prismpool.app.composition.backend.BackendAddresses;
import org.prismpool.app.composition.backend.StartFailure;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.LedgerVariables;
import org.prismpool.config.variable.PublicApiVariables;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.LedgerException;
import org.prismpool.sharewriter.LedgerMetrics;
import org.prismpool.sharewriter.postgres.PostgresConfig;
import org.prismpool.sharewriter.postgres.PostgresTarget;
import org.prismpool.sharewriter.postgres.ReadOnlyDatabase;
import org.prismpool.sharewriter.postgres.SchemaMigrator;

/**
 * The database of the public process, with a connection of its own for the question how it is: reads that fill the others must
 * not look like an outage. Closed by its owner, once.
 */
public final class ReadDatabase implements AutoCloseable {

    /** A request must not wait longer for a connection that does not come: the last answer is there at once. */
    private static final Duration CONNECTION = Duration.ofSeconds(3);

    private static final Duration SCHEMA = Duration.ofSeconds(10);

    private final ReadOnlyDatabase reads;
    private final ReadOnlyDatabase questions;

    private ReadDatabase(ReadOnlyDatabase reads, ReadOnlyDatabase questions) {
        this.reads = reads;
        this.questions = questions;
    }

    /**
     * Opens it and looks whether it holds a pool's ledger.
     *
     * @param e values of the public role, without errors
     * @param clock of caches
     * @return the database, to be closed after everything that uses it
     * @throws StartFailure if it cannot be reached or holds no complete ledger
     */
    public static ReadDatabase open(Environment e, MonotonicClock clock) throws StartFailure {
        PostgresTarget target;
        try {
            target = BackendAddresses.publicDatabase(e)
                    .orElseThrow(() -> new IllegalArgumentException("no address is given"));
            new SchemaMigrator(target, SCHEMA).verify();
        } catch (LedgerException | IllegalArgumentException failed) {
            throw new StartFailure(
                    "the database cannot be read: " + failed.getMessage() + "; check PRISM_PUBLIC_DATABASE_URL",
                    failed);
        }
        int readers = e.get(LedgerVariables.POSTGRES_READ_CONCURRENCY);
        return new ReadDatabase(
                ReadOnlyDatabase.open(config(e, target, readers), LedgerMetrics.NONE, clock),
                ReadOnlyDatabase.open(config(e, target, 1), LedgerMetrics.NONE, clock));
    }

    private static PostgresConfig config(Environment e, PostgresTarget target, int connections) {
        PostgresConfig defaults = PostgresConfig.of(target);
        return new PostgresConfig(
                target,
                connections,
                CONNECTION,
                defaults.connectTimeout(),
                defaults.idleInTransactionTimeout(),
                defaults.keepalives(),
                e.get(LedgerVariables.PUBLIC_REWARD_WINDOW_CACHE_SECONDS));
    }

    /**
     * Returns the ledger.
     *
     * @return ledger that refuses every write
     */
    public Ledger ledger() {
        return reads.ledger();
    }

    /**
     * Makes the watch of this database.
     *
     * @param e values of the public role, without errors
     * @param clock of ages
     * @return a watch that has asked nothing yet
     */
    public DatabaseWatch watch(Environment e, MonotonicClock clock) {
        return new DatabaseWatch(
                questions.replica(),
                new Freshness(
                        e.get(PublicApiVariables.PUBLIC_REPLICA_MODE).equals("require"),
                        e.get(PublicApiVariables.PUBLIC_REPLICA_MAX_LAG_SECONDS)),
                e.get(PublicApiVariables.PUBLIC_READINESS_PROBE_INTERVAL_SECONDS),
                clock);
    }

    @Override
    public void close() {
        reads.close();
        questions.close();
    }
}
