package org.prismpool.config.rule;

import static org.prismpool.config.variable.BlockVariables.BLOCK_SUBMIT_RPC_TIMEOUT_SECONDS;
import static org.prismpool.config.variable.LedgerVariables.ALLOW_BUNDLE_EMBEDDED_LEDGER_KEY;
import static org.prismpool.config.variable.LedgerVariables.ALLOW_FIXED_LEDGER_SESSION_TOKEN;
import static org.prismpool.config.variable.LedgerVariables.ALLOW_MEMORY_LEDGER;
import static org.prismpool.config.variable.LedgerVariables.DATABASE_URL;
import static org.prismpool.config.variable.LedgerVariables.LEDGER_ATTESTATION_SIGNING_SEED_HEX;
import static org.prismpool.config.variable.LedgerVariables.LEDGER_LEASE_ACQUIRE_ATTEMPTS;
import static org.prismpool.config.variable.LedgerVariables.LEDGER_LEASE_ACQUIRE_LOCK_TIMEOUT_SECONDS;
import static org.prismpool.config.variable.LedgerVariables.LEDGER_LEASE_TTL_SECONDS;
import static org.prismpool.config.variable.LedgerVariables.LEDGER_WRITER_PUBLIC_KEY_HEX;
import static org.prismpool.config.variable.LedgerVariables.LEDGER_WRITER_SESSION_TOKEN;
import static org.prismpool.config.variable.LedgerVariables.MANIFEST_SIGNING_SEED_HEX;
import static org.prismpool.config.variable.LedgerVariables.POSTGRES_IDLE_IN_TRANSACTION_TIMEOUT_SECONDS;
import static org.prismpool.config.variable.LedgerVariables.POSTGRES_NATIVE_CLIENT;
import static org.prismpool.config.variable.LedgerVariables.POSTGRES_PSQL_COMMAND;
import static org.prismpool.config.variable.LifecycleVariables.WRITER_QUIESCENCE_TIMEOUT_SECONDS;
import static org.prismpool.config.variable.NodeVariables.QBIT_RPC_TIMEOUT_SECONDS;

import java.time.Duration;
import java.util.List;
import org.prismpool.config.DatabaseUrl;
import org.prismpool.config.Environment;
import org.prismpool.config.Secret;
import org.prismpool.config.variable.Variable;

/** Rules S1-S5, D1-D3, L1, L2 and L4: keys, database, writer lease. */
public final class LedgerRules {

    private static final Duration AUTHORITY_HEADROOM = Duration.ofSeconds(5);

    private LedgerRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.of(
                        "S1",
                        "signing seeds are set, or test seeds are allowed",
                        LedgerRules::seeds,
                        MANIFEST_SIGNING_SEED_HEX,
                        LEDGER_ATTESTATION_SIGNING_SEED_HEX),
                Rule.of(
                        "S2",
                        "the trusted ledger key is set, or the bundle's own key is allowed",
                        LedgerRules::trustedKey,
                        LEDGER_WRITER_PUBLIC_KEY_HEX,
                        ALLOW_BUNDLE_EMBEDDED_LEDGER_KEY),
                Rule.of(
                        "S3",
                        "the trusted ledger key is the public key of the attestation seed",
                        LedgerRules::keyMatch,
                        LEDGER_WRITER_PUBLIC_KEY_HEX,
                        LEDGER_ATTESTATION_SIGNING_SEED_HEX),
                Rule.of(
                        "S4",
                        "a fixed session token needs its permission",
                        LedgerRules::sessionToken,
                        LEDGER_WRITER_SESSION_TOKEN,
                        ALLOW_FIXED_LEDGER_SESSION_TOKEN),
                Rule.of(
                        "S5",
                        "the two seeds should differ",
                        LedgerRules::distinctSeeds,
                        MANIFEST_SIGNING_SEED_HEX,
                        LEDGER_ATTESTATION_SIGNING_SEED_HEX),
                Rule.of(
                        "D1",
                        "a database is set, or the memory ledger is allowed",
                        LedgerRules::database,
                        DATABASE_URL,
                        POSTGRES_PSQL_COMMAND,
                        ALLOW_MEMORY_LEDGER),
                Rule.of(
                        "D2",
                        "the pooled client needs a database",
                        LedgerRules::pooledClient,
                        POSTGRES_NATIVE_CLIENT,
                        DATABASE_URL,
                        POSTGRES_PSQL_COMMAND),
                Rule.of(
                        "D3",
                        "the database URL and the psql command must not name different databases",
                        LedgerRules::oneDatabase,
                        DATABASE_URL,
                        POSTGRES_PSQL_COMMAND),
                Rule.of(
                        "L1",
                        "lease time to live > authority margin (5 s + the longer of submit and default RPC timeout)",
                        LedgerRules::authorityMargin,
                        LEDGER_LEASE_TTL_SECONDS,
                        BLOCK_SUBMIT_RPC_TIMEOUT_SECONDS,
                        QBIT_RPC_TIMEOUT_SECONDS),
                Rule.of(
                        "L2",
                        "writer quiescence should end before the lease does",
                        LedgerRules::quiescence,
                        WRITER_QUIESCENCE_TIMEOUT_SECONDS,
                        LEDGER_LEASE_TTL_SECONDS),
                Rule.of(
                        "L4",
                        "lease acquisition should outlast an orphaned transaction",
                        LedgerRules::orphanedTransaction,
                        POSTGRES_IDLE_IN_TRANSACTION_TIMEOUT_SECONDS,
                        LEDGER_LEASE_ACQUIRE_ATTEMPTS,
                        LEDGER_LEASE_ACQUIRE_LOCK_TIMEOUT_SECONDS));
    }

    /**
     * Returns the authority margin of the writer lease: how long before its end the owner stops acting on it.
     *
     * @param e environment without errors
     * @return the larger of half the time to live and the margin of rule L1
     */
    public static Duration effectiveAuthorityMargin(Environment e) {
        Duration half = e.get(LEDGER_LEASE_TTL_SECONDS).dividedBy(2);
        Duration margin = margin(e);
        return half.compareTo(margin) > 0 ? half : margin;
    }

    private static Duration margin(Environment e) {
        Duration submit = e.get(BLOCK_SUBMIT_RPC_TIMEOUT_SECONDS);
        Duration rpc = e.get(QBIT_RPC_TIMEOUT_SECONDS);
        return AUTHORITY_HEADROOM.plus(submit.compareTo(rpc) > 0 ? submit : rpc);
    }

    private static void seeds(Environment e, RuleReport report) {
        for (Variable<Secret> seed : List.of(MANIFEST_SIGNING_SEED_HEX, LEDGER_ATTESTATION_SIGNING_SEED_HEX)) {
            if (e.find(seed).isEmpty()) {
                report.error(
                        "is required: 64 hex digits (tests may set PRISM_ALLOW_TEST_SIGNING_SEEDS=1 instead)", seed);
            }
        }
    }

    private static void trustedKey(Environment e, RuleReport report) {
        if (e.find(LEDGER_WRITER_PUBLIC_KEY_HEX).isEmpty() && !e.get(ALLOW_BUNDLE_EMBEDDED_LEDGER_KEY)) {
            report.error(
                    "is required: the public key of the attestation seed, 64 hex digits"
                            + " (tests may set PRISM_ALLOW_BUNDLE_EMBEDDED_LEDGER_KEY=1 instead)",
                    LEDGER_WRITER_PUBLIC_KEY_HEX);
        }
    }

    private static void keyMatch(Environment e, RuleReport report) {
        if (e.find(LEDGER_WRITER_PUBLIC_KEY_HEX).isEmpty()
                || e.find(LEDGER_ATTESTATION_SIGNING_SEED_HEX).isEmpty()) {
            return;
        }
        String derived = Ed25519Seed.publicKeyHex(
                e.get(LEDGER_ATTESTATION_SIGNING_SEED_HEX).reveal());
        if (derived.equals(e.get(LEDGER_WRITER_PUBLIC_KEY_HEX))) {
            return;
        }
        String problem = "is not the public key of the attestation seed, which is " + derived
                + "; every audit verification would fail at the first found block";
        if (ProductionRules.production(e)) {
            report.error(problem, LEDGER_WRITER_PUBLIC_KEY_HEX, LEDGER_ATTESTATION_SIGNING_SEED_HEX);
        } else {
            report.warning(problem, LEDGER_WRITER_PUBLIC_KEY_HEX, LEDGER_ATTESTATION_SIGNING_SEED_HEX);
        }
    }

    private static void sessionToken(Environment e, RuleReport report) {
        if (e.find(LEDGER_WRITER_SESSION_TOKEN).isPresent() && !e.get(ALLOW_FIXED_LEDGER_SESSION_TOKEN)) {
            report.error(
                    "a fixed token needs PRISM_ALLOW_FIXED_LEDGER_SESSION_TOKEN=1; unset it to get a random one",
                    LEDGER_WRITER_SESSION_TOKEN,
                    ALLOW_FIXED_LEDGER_SESSION_TOKEN);
        }
    }

    private static void distinctSeeds(Environment e, RuleReport report) {
        if (e.find(MANIFEST_SIGNING_SEED_HEX).isPresent()
                && e.find(MANIFEST_SIGNING_SEED_HEX).equals(e.find(LEDGER_ATTESTATION_SIGNING_SEED_HEX))) {
            report.warning(
                    "the two seeds should differ", MANIFEST_SIGNING_SEED_HEX, LEDGER_ATTESTATION_SIGNING_SEED_HEX);
        }
    }

    private static void database(Environment e, RuleReport report) {
        if (e.find(DATABASE_URL).isEmpty() && e.find(POSTGRES_PSQL_COMMAND).isEmpty() && !e.get(ALLOW_MEMORY_LEDGER)) {
            report.error(
                    "is required: postgresql://user:password@host:port/database"
                            + " (tests may set PRISM_ALLOW_MEMORY_LEDGER=1 instead)",
                    DATABASE_URL);
        }
    }

    private static void pooledClient(Environment e, RuleReport report) {
        boolean none =
                e.find(DATABASE_URL).isEmpty() && e.find(POSTGRES_PSQL_COMMAND).isEmpty();
        if (none && e.get(POSTGRES_NATIVE_CLIENT).equals("on")) {
            report.error("needs PRISM_DATABASE_URL", POSTGRES_NATIVE_CLIENT, DATABASE_URL);
        }
    }

    private static void oneDatabase(Environment e, RuleReport report) {
        if (e.find(DATABASE_URL).isEmpty() || e.find(POSTGRES_PSQL_COMMAND).isEmpty()) {
            return;
        }
        DatabaseUrl url = e.get(DATABASE_URL);
        if (!url.equals(e.get(POSTGRES_PSQL_COMMAND))) {
            report.error("the two name different databases; unset the second", DATABASE_URL, POSTGRES_PSQL_COMMAND);
        }
    }

    private static void authorityMargin(Environment e, RuleReport report) {
        if (margin(e).compareTo(e.get(LEDGER_LEASE_TTL_SECONDS)) >= 0) {
            report.error(
                    "the first must be more than 5 s + the larger of the other two, "
                            + margin(e).toMillis() + " ms",
                    LEDGER_LEASE_TTL_SECONDS,
                    BLOCK_SUBMIT_RPC_TIMEOUT_SECONDS,
                    QBIT_RPC_TIMEOUT_SECONDS);
        }
    }

    private static void quiescence(Environment e, RuleReport report) {
        if (e.get(WRITER_QUIESCENCE_TIMEOUT_SECONDS).compareTo(e.get(LEDGER_LEASE_TTL_SECONDS)) >= 0) {
            report.warning(
                    "the first should be less than the second",
                    WRITER_QUIESCENCE_TIMEOUT_SECONDS,
                    LEDGER_LEASE_TTL_SECONDS);
        }
    }

    private static void orphanedTransaction(Environment e, RuleReport report) {
        Duration patience =
                e.get(LEDGER_LEASE_ACQUIRE_LOCK_TIMEOUT_SECONDS).multipliedBy(e.get(LEDGER_LEASE_ACQUIRE_ATTEMPTS));
        if (e.get(POSTGRES_IDLE_IN_TRANSACTION_TIMEOUT_SECONDS).compareTo(patience) > 0) {
            report.warning(
                    "the first should be at most the product of the other two",
                    POSTGRES_IDLE_IN_TRANSACTION_TIMEOUT_SECONDS,
                    LEDGER_LEASE_ACQUIRE_ATTEMPTS,
                    LEDGER_LEASE_ACQUIRE_LOCK_TIMEOUT_SECONDS);
        }
    }
}
