package org.prismpool.config.variable;

import static org.prismpool.config.variable.NumberParsers.int32;
import static org.prismpool.config.variable.NumberParsers.int64;
import static org.prismpool.config.variable.NumberParsers.seconds;
import static org.prismpool.config.variable.TextParsers.bool;
import static org.prismpool.config.variable.TextParsers.hex32;
import static org.prismpool.config.variable.TextParsers.nonEmptyText;
import static org.prismpool.config.variable.TextParsers.secret;
import static org.prismpool.config.variable.TextParsers.secretHex32;
import static org.prismpool.config.variable.Variable.named;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.prismpool.config.DatabaseUrl;
import org.prismpool.config.Environment;
import org.prismpool.config.Secret;
import org.prismpool.config.variable.NumberParsers.Floor;

/** Variables of the area "Ledger, writer lease, database", in documented order. Source: spec 01 §1. */
public final class LedgerVariables {

    /** Ledger database. */
    public static final Variable<DatabaseUrl> DATABASE_URL = named("PRISM_DATABASE_URL", DatabaseParsers.url())
            .emptyIsUnset()
            .secret()
            .packaged(
                    "postgresql://${PRISM_POSTGRES_USER:-qbit}:${PRISM_POSTGRES_PASSWORD:-change-this}@prism-postgres:5432/${PRISM_POSTGRES_DB:-qbit}")
            .owner("sharewriter (PostgreSQL)")
            .doc("Ledger database. Production: this or PSQL_COMMAND required; must not contain change-this.");

    /** Legacy: command line of a psql call, used by the one-process-per-statement backend. */
    public static final Variable<DatabaseUrl> POSTGRES_PSQL_COMMAND = named(
                    "PRISM_POSTGRES_PSQL_COMMAND", DatabaseParsers.psqlCommand())
            .emptyIsUnset()
            .secret()
            .owner("sharewriter (PostgreSQL)")
            .doc(
                    "Legacy: command line of a psql call, used by the one-process-per-statement backend. The pooled backend prefers PRISM_DATABASE_URL, else a DSN found in the command (psql URL, -d URL, --dbname URL, --dbname=URL).");

    /** Not used to connect by the coordinator. */
    public static final Variable<Secret> POSTGRES_PASSWORD = named("PRISM_POSTGRES_PASSWORD", secret())
            .emptyIsUnset()
            .secret()
            .owner("config")
            .doc("Password used when the DSN has none. Production: must not equal change-this.");

    /** Pooled client vs one psql process per statement. */
    public static final Variable<String> POSTGRES_NATIVE_CLIENT = named(
                    "PRISM_POSTGRES_NATIVE_CLIENT", DatabaseParsers.nativeClient())
            .byDefault("auto")
            .owner("sharewriter (PostgreSQL)")
            .doc(
                    "Database client. Only the pooled one exists: auto and true values are accepted, values that ask for psql processes are refused.");

    /** Apply the schema script at startup. */
    public static final Variable<Boolean> POSTGRES_INIT_SCHEMA = named("PRISM_POSTGRES_INIT_SCHEMA", bool())
            .byDefault("0")
            .packaged("1")
            .owner("sharewriter (PostgreSQL)")
            .doc("Apply the schema script at startup.");

    /** Concurrent reads. */
    public static final Variable<Integer> POSTGRES_READ_CONCURRENCY = named(
                    "PRISM_POSTGRES_READ_CONCURRENCY", int32(1, Integer.MAX_VALUE, ""))
            .byDefault("4")
            .owner("sharewriter (PostgreSQL)")
            .doc("Concurrent reads.");

    /** Default statement/lock deadline of a ledger operation without a narrower one. */
    public static final Variable<Duration> POSTGRES_OPERATION_TIMEOUT_SECONDS = named(
                    "PRISM_POSTGRES_OPERATION_TIMEOUT_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("30")
            .owner("sharewriter (PostgreSQL)")
            .doc("Default statement/lock deadline of a ledger operation without a narrower one.");

    /** Allows an in-memory ledger when no database is configured (tests). */
    public static final Variable<Boolean> ALLOW_MEMORY_LEDGER = named("PRISM_ALLOW_MEMORY_LEDGER", bool())
            .byDefault("0")
            .owner("sharewriter (in-memory)")
            .doc("Allows an in-memory ledger when no database is configured (tests). Production: forbidden.");

    /** Writer identity of the lease. */
    public static final Variable<String> LEDGER_WRITER_ID = named("PRISM_LEDGER_WRITER_ID", nonEmptyText())
            .byDefault("prism-coordinator")
            .owner("sharewriter (lease)")
            .doc(
                    "Writer identity of the lease. Production: explicit. (CLI default for the standalone broadcaster: prism-ctv-broadcaster; for the backfill tool: prism-ctv-fanout-backfill.)");

    /** Fencing epoch. */
    public static final Variable<Long> LEDGER_WRITER_EPOCH = named(
                    "PRISM_LEDGER_WRITER_EPOCH", int64(0L, Long.MAX_VALUE, ""))
            .byDefault("1")
            .owner("sharewriter (lease)")
            .doc("Fencing epoch. Production: explicit.");

    /** Fixed session token (tests). */
    public static final Variable<Secret> LEDGER_WRITER_SESSION_TOKEN = named(
                    "PRISM_LEDGER_WRITER_SESSION_TOKEN", secret())
            .emptyIsUnset()
            .secret()
            .owner("sharewriter (lease)")
            .doc("Fixed session token (tests). Production: forbidden.");

    /** Lease time to live. */
    public static final Variable<Duration> LEDGER_LEASE_TTL_SECONDS = named(
                    "PRISM_LEDGER_LEASE_TTL_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("60")
            .owner("sharewriter (lease)")
            .doc("Lease time to live.");

    /** Trusted Ed25519 key that verifies ledger attestations. */
    public static final Variable<String> LEDGER_WRITER_PUBLIC_KEY_HEX = named(
                    "PRISM_LEDGER_WRITER_PUBLIC_KEY_HEX", hex32())
            .emptyIsUnset()
            .owner("payout (audit)")
            .doc(
                    "Trusted Ed25519 key that verifies ledger attestations. Production: required. Should equal the public key of the attestation seed (S3).");

    /** Permits the built-in test seeds for unset seeds. */
    public static final Variable<Boolean> ALLOW_TEST_SIGNING_SEEDS = named("PRISM_ALLOW_TEST_SIGNING_SEEDS", bool())
            .byDefault("0")
            .owner("config")
            .doc("Permits the built-in test seeds for unset seeds. Production: forbidden.");

    /** Ed25519 seed that signs payout manifests. */
    public static final Variable<Secret> MANIFEST_SIGNING_SEED_HEX = named(
                    "PRISM_MANIFEST_SIGNING_SEED_HEX", secretHex32())
            .emptyIsUnset()
            .secret()
            .derived(
                    "the public test seed with PRISM_ALLOW_TEST_SIGNING_SEEDS=1, else none",
                    e -> testSeed(e, "42"),
                    ALLOW_TEST_SIGNING_SEEDS)
            .owner("payout (signing); bundle")
            .doc("Ed25519 seed that signs payout manifests. Production: required.");

    /** Ed25519 seed that signs ledger attestations. */
    public static final Variable<Secret> LEDGER_ATTESTATION_SIGNING_SEED_HEX = named(
                    "PRISM_LEDGER_ATTESTATION_SIGNING_SEED_HEX", secretHex32())
            .emptyIsUnset()
            .secret()
            .derived(
                    "the public test seed with PRISM_ALLOW_TEST_SIGNING_SEEDS=1, else none",
                    e -> testSeed(e, "43"),
                    ALLOW_TEST_SIGNING_SEEDS)
            .owner("payout (signing); bundle")
            .doc("Ed25519 seed that signs ledger attestations. Production: required.");

    /** Permits a missing trusted key (bundle's own key is believed). */
    public static final Variable<Boolean> ALLOW_BUNDLE_EMBEDDED_LEDGER_KEY = named(
                    "PRISM_ALLOW_BUNDLE_EMBEDDED_LEDGER_KEY", bool())
            .byDefault("0")
            .owner("config")
            .doc("Permits a missing trusted key (bundle's own key is believed). Production: forbidden.");

    /** Permits a fixed session token. */
    public static final Variable<Boolean> ALLOW_FIXED_LEDGER_SESSION_TOKEN = named(
                    "PRISM_ALLOW_FIXED_LEDGER_SESSION_TOKEN", bool())
            .byDefault("0")
            .owner("config")
            .doc("Permits a fixed session token. Production: forbidden.");

    /** Reconcile interval of the incremental share counters. */
    public static final Variable<Duration> ACCEPTED_STATS_CACHE_SECONDS = named(
                    "PRISM_ACCEPTED_STATS_CACHE_SECONDS", seconds(Floor.NON_NEGATIVE))
            .byDefault("60")
            .owner("sharewriter (statistics)")
            .doc("Reconcile interval of the incremental share counters.");

    /** Cache of the pool-wide reward-window aggregate. */
    public static final Variable<Duration> PUBLIC_REWARD_WINDOW_CACHE_SECONDS = named(
                    "PRISM_PUBLIC_REWARD_WINDOW_CACHE_SECONDS", seconds(Floor.NON_NEGATIVE))
            .byDefault("30")
            .owner("sharewriter (window reads)")
            .doc("Cache of the pool-wide reward-window aggregate.");

    /** Never read by PRISM code. */
    public static final Variable<Secret> PGPASSWORD = named("PGPASSWORD", secret())
            .secret()
            .emptyIsUnset()
            .owner("sharewriter (PostgreSQL)")
            .doc("Password used when neither the DSN nor PRISM_POSTGRES_PASSWORD has one.");

    /** Lock and statement timeout of one lease acquisition statement. */
    public static final Variable<Duration> LEDGER_LEASE_ACQUIRE_LOCK_TIMEOUT_SECONDS = named(
                    "PRISM_LEDGER_LEASE_ACQUIRE_LOCK_TIMEOUT_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("5")
            .owner("sharewriter (lease)")
            .doc("Lock and statement timeout of one lease acquisition statement.");

    /** Timed-out lease acquisition statements before the start fails. */
    public static final Variable<Integer> LEDGER_LEASE_ACQUIRE_ATTEMPTS = named(
                    "PRISM_LEDGER_LEASE_ACQUIRE_ATTEMPTS", int32(1, Integer.MAX_VALUE, ""))
            .byDefault("5")
            .owner("sharewriter (lease)")
            .doc("Timed-out lease acquisition statements before the start fails.");

    /** Idle-in-transaction timeout set on every session. */
    public static final Variable<Duration> POSTGRES_IDLE_IN_TRANSACTION_TIMEOUT_SECONDS = named(
                    "PRISM_POSTGRES_IDLE_IN_TRANSACTION_TIMEOUT_SECONDS", seconds(Floor.POSITIVE))
            .byDefault("15")
            .owner("sharewriter (PostgreSQL)")
            .doc("Idle-in-transaction timeout set on every session.");

    /** Idle time before server-side keepalives of every session. */
    public static final Variable<Integer> POSTGRES_TCP_KEEPALIVES_IDLE_SECONDS = named(
                    "PRISM_POSTGRES_TCP_KEEPALIVES_IDLE_SECONDS", int32(1, Integer.MAX_VALUE, "seconds"))
            .byDefault("30")
            .owner("sharewriter (PostgreSQL)")
            .doc("Idle time before server-side keepalives of every session.");

    /** Interval of server-side keepalives of every session. */
    public static final Variable<Integer> POSTGRES_TCP_KEEPALIVES_INTERVAL_SECONDS = named(
                    "PRISM_POSTGRES_TCP_KEEPALIVES_INTERVAL_SECONDS", int32(1, Integer.MAX_VALUE, "seconds"))
            .byDefault("10")
            .owner("sharewriter (PostgreSQL)")
            .doc("Interval of server-side keepalives of every session.");

    /** Unanswered server-side keepalives before a session is dropped. */
    public static final Variable<Integer> POSTGRES_TCP_KEEPALIVES_COUNT = named(
                    "PRISM_POSTGRES_TCP_KEEPALIVES_COUNT", int32(1, Integer.MAX_VALUE, ""))
            .byDefault("3")
            .owner("sharewriter (PostgreSQL)")
            .doc("Unanswered server-side keepalives before a session is dropped.");

    private LedgerVariables() {}

    /**
     * Returns the group for the registry.
     *
     * @return the variables in documented order
     */
    public static VariableRegistry.Group group() {
        return new VariableRegistry.Group(
                "Ledger, writer lease, database",
                List.of(
                        DATABASE_URL,
                        POSTGRES_PSQL_COMMAND,
                        POSTGRES_PASSWORD,
                        POSTGRES_NATIVE_CLIENT,
                        POSTGRES_INIT_SCHEMA,
                        POSTGRES_READ_CONCURRENCY,
                        POSTGRES_OPERATION_TIMEOUT_SECONDS,
                        ALLOW_MEMORY_LEDGER,
                        LEDGER_WRITER_ID,
                        LEDGER_WRITER_EPOCH,
                        LEDGER_WRITER_SESSION_TOKEN,
                        LEDGER_LEASE_TTL_SECONDS,
                        LEDGER_WRITER_PUBLIC_KEY_HEX,
                        MANIFEST_SIGNING_SEED_HEX,
                        LEDGER_ATTESTATION_SIGNING_SEED_HEX,
                        ALLOW_TEST_SIGNING_SEEDS,
                        ALLOW_BUNDLE_EMBEDDED_LEDGER_KEY,
                        ALLOW_FIXED_LEDGER_SESSION_TOKEN,
                        ACCEPTED_STATS_CACHE_SECONDS,
                        PUBLIC_REWARD_WINDOW_CACHE_SECONDS,
                        PGPASSWORD,
                        LEDGER_LEASE_ACQUIRE_LOCK_TIMEOUT_SECONDS,
                        LEDGER_LEASE_ACQUIRE_ATTEMPTS,
                        POSTGRES_IDLE_IN_TRANSACTION_TIMEOUT_SECONDS,
                        POSTGRES_TCP_KEEPALIVES_IDLE_SECONDS,
                        POSTGRES_TCP_KEEPALIVES_INTERVAL_SECONDS,
                        POSTGRES_TCP_KEEPALIVES_COUNT));
    }

    /** The reference's public test seeds are one byte repeated; production refuses them even when given (rule P17). */
    private static Optional<Secret> testSeed(Environment environment, String hexByte) {
        return environment.get(ALLOW_TEST_SIGNING_SEEDS)
                ? Optional.of(Secret.of(hexByte.repeat(32)))
                : Optional.empty();
    }
}
