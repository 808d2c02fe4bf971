package org.prismpool.app.composition.backend;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.prismpool.config.DatabaseUrl;
import org.prismpool.config.Environment;
import org.prismpool.config.Secret;
import org.prismpool.config.variable.BlockVariables;
import org.prismpool.config.variable.LedgerVariables;
import org.prismpool.config.variable.NodeVariables;
import org.prismpool.lifecycle.shutdown.LeasePort;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.LedgerMetrics;
import org.prismpool.sharewriter.lease.ExternalAuthority;
import org.prismpool.sharewriter.lease.LeaseConfig;
import org.prismpool.sharewriter.lease.LeaseEvents;
import org.prismpool.sharewriter.lease.LeaseHolder;
import org.prismpool.sharewriter.lease.LeaseIdentity;
import org.prismpool.sharewriter.lease.LeaseLoss;
import org.prismpool.sharewriter.lease.LeaseTiming;
import org.prismpool.sharewriter.lease.WriterLease;
import org.prismpool.sharewriter.memory.MemoryLedger;
import org.prismpool.sharewriter.postgres.PostgresConfig;
import org.prismpool.sharewriter.postgres.PostgresDatabase;
import org.prismpool.sharewriter.postgres.PostgresTarget;

/**
 * The ledger and its writer lease: the guard first, then the schema, then the lease (spec 06 §3.3). In memory there is
 * neither schema nor lease.
 */
public final class LedgerParts implements AutoCloseable {

    private final Ledger ledger;
    private final Optional<PostgresDatabase> database;
    private final Optional<WriterLease> lease;

    private LedgerParts(Ledger ledger, Optional<PostgresDatabase> database, Optional<WriterLease> lease) {
        this.ledger = ledger;
        this.database = database;
        this.lease = lease;
    }

    /**
     * Opens the ledger; waits for a predecessor's lease without bound until cancelled.
     *
     * @param e valid environment
     * @param loss told when the lease is lost
     * @param progress told in words what is waited for
     * @param cancel ends the wait
     */
    public static LedgerParts open(
            Environment e,
            LedgerMetrics metrics,
            LeaseLoss loss,
            Consumer<String> progress,
            CancelSignal cancel,
            MonotonicClock clock) {
        Optional<DatabaseUrl> url = databaseUrl(e);
        if (url.isEmpty()) {
            return new LedgerParts(new MemoryLedger(System::currentTimeMillis), Optional.empty(), Optional.empty());
        }
        PostgresDatabase database = PostgresDatabase.open(postgres(e, url.get()), metrics, clock);
        try {
            WriterLease lease = new WriterLease(database.leaseStore(), lease(e), loss, waits(progress), clock);
            lease.takeGuard(cancel);
            if (e.get(LedgerVariables.POSTGRES_INIT_SCHEMA)) {
                List<String> applied = database.migrator().up();
                applied.forEach(step -> progress.accept("schema: applied " + step));
            } else {
                database.migrator().verify();
            }
            lease.acquire(cancel);
            return new LedgerParts(database.ledger(lease.fence()), Optional.of(database), Optional.of(lease));
        } catch (RuntimeException failed) {
            database.close();
            throw failed;
        }
    }

    /** The configured database, with a password from its own variable where the DSN has none. */
    public static Optional<DatabaseUrl> databaseUrl(Environment e) {
        Optional<Secret> password =
                e.find(LedgerVariables.POSTGRES_PASSWORD).or(() -> e.find(LedgerVariables.PGPASSWORD));
        return e.find(LedgerVariables.DATABASE_URL)
                .or(() -> e.find(LedgerVariables.POSTGRES_PSQL_COMMAND))
                .map(url -> password.map(url::withPasswordIfAbsent).orElse(url));
    }

    static PostgresConfig postgres(Environment e, DatabaseUrl url) {
        PostgresConfig defaults = PostgresConfig.of(url.dsn().reveal());
        return new PostgresConfig(
                PostgresTarget.parse(url.dsn().reveal()),
                e.get(LedgerVariables.POSTGRES_READ_CONCURRENCY),
                e.get(LedgerVariables.POSTGRES_OPERATION_TIMEOUT_SECONDS),
                defaults.connectTimeout(),
                e.get(LedgerVariables.POSTGRES_IDLE_IN_TRANSACTION_TIMEOUT_SECONDS),
                new PostgresConfig.Keepalives(
                        e.get(LedgerVariables.POSTGRES_TCP_KEEPALIVES_IDLE_SECONDS),
                        e.get(LedgerVariables.POSTGRES_TCP_KEEPALIVES_INTERVAL_SECONDS),
                        e.get(LedgerVariables.POSTGRES_TCP_KEEPALIVES_COUNT)),
                e.get(LedgerVariables.PUBLIC_REWARD_WINDOW_CACHE_SECONDS));
    }

    private static LeaseConfig lease(Environment e) {
        String writer = e.get(LedgerVariables.LEDGER_WRITER_ID);
        long epoch = e.get(LedgerVariables.LEDGER_WRITER_EPOCH);
        LeaseIdentity identity = e.find(LedgerVariables.LEDGER_WRITER_SESSION_TOKEN)
                .map(token -> new LeaseIdentity(writer, epoch, token.reveal()))
                .orElseGet(() -> LeaseIdentity.generate(writer, epoch, new SecureRandom()));
        Duration submit = e.get(BlockVariables.BLOCK_SUBMIT_RPC_TIMEOUT_SECONDS);
        Duration rpc = e.get(NodeVariables.QBIT_RPC_TIMEOUT_SECONDS);
        return new LeaseConfig(
                identity,
                e.get(LedgerVariables.LEDGER_LEASE_TTL_SECONDS),
                submit.compareTo(rpc) > 0 ? submit : rpc,
                e.get(LedgerVariables.LEDGER_LEASE_ACQUIRE_LOCK_TIMEOUT_SECONDS),
                e.get(LedgerVariables.LEDGER_LEASE_ACQUIRE_ATTEMPTS),
                LeaseTiming.DEFAULTS);
    }

    private static LeaseEvents waits(Consumer<String> progress) {
        return new LeaseEvents() {
            @Override
            public void waiting(Optional<LeaseHolder> holder, Duration next, Duration waited) {
                progress.accept(
                        "lease: held by " + holder.map(LedgerParts::named).orElse("another process") + ", next try in "
                                + next.toMillis() + " ms, waited " + waited.toSeconds() + " s");
            }

            @Override
            public void acquired(boolean adopted, Duration waited) {
                progress.accept("lease: " + (adopted ? "adopted" : "acquired") + " after " + waited.toMillis() + " ms");
            }
        };
    }

    /** Without the session token, which is a secret. */
    private static String named(LeaseHolder holder) {
        return "writer " + holder.writerId() + " epoch " + holder.epoch() + " until " + holder.expiresAt();
    }

    public Ledger ledger() {
        return ledger;
    }

    /** The same parts with something put around the ledger. */
    public LedgerParts around(UnaryOperator<Ledger> wrapper) {
        return new LedgerParts(wrapper.apply(ledger), database, lease);
    }

    /** What the shutdown releases. */
    public LeasePort leasePort() {
        return lease.<LeasePort>map(l -> l).orElseGet(LeasePort::none);
    }

    /** Whether the lease is known to be lost, from memory only. */
    public boolean leaseLost() {
        return lease.map(held -> !held.verdict().mayOffer()).orElse(false);
    }

    /** Whether the lease is provably held, by asking the database. */
    boolean leaseHeld(Deadline deadline) {
        deadline.check("lease-verification");
        return lease.map(held -> held.verifyExternal() == ExternalAuthority.GRANTED)
                .orElse(true);
    }

    @Override
    public void close() {
        lease.ifPresent(WriterLease::close);
        database.ifPresent(PostgresDatabase::close);
    }
}
