package org.prismpool.config.rule;

import static org.prismpool.config.variable.CtvVariables.CTV_FANOUT_FEE_MARKET_RATE_BITS_PER_1000_WEIGHT;
import static org.prismpool.config.variable.CtvVariables.CTV_SETTLEMENT_ENABLED;
import static org.prismpool.config.variable.DeliveryVariables.STRATUM_INITIAL_JOB_TIMEOUT_SECONDS;
import static org.prismpool.config.variable.DeliveryVariables.STRATUM_STALE_GRACE_SECONDS;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_SHARE_DIFF;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_VARDIFF_MAX_DIFF;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_VARDIFF_MIN_DIFF;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_VARDIFF_START_DIFF;
import static org.prismpool.config.variable.HttpVariables.AUDIT_DIR;
import static org.prismpool.config.variable.HttpVariables.EVIDENCE_PATH;
import static org.prismpool.config.variable.LedgerVariables.ALLOW_BUNDLE_EMBEDDED_LEDGER_KEY;
import static org.prismpool.config.variable.LedgerVariables.ALLOW_FIXED_LEDGER_SESSION_TOKEN;
import static org.prismpool.config.variable.LedgerVariables.ALLOW_MEMORY_LEDGER;
import static org.prismpool.config.variable.LedgerVariables.ALLOW_TEST_SIGNING_SEEDS;
import static org.prismpool.config.variable.LedgerVariables.DATABASE_URL;
import static org.prismpool.config.variable.LedgerVariables.LEDGER_ATTESTATION_SIGNING_SEED_HEX;
import static org.prismpool.config.variable.LedgerVariables.LEDGER_WRITER_EPOCH;
import static org.prismpool.config.variable.LedgerVariables.LEDGER_WRITER_ID;
import static org.prismpool.config.variable.LedgerVariables.LEDGER_WRITER_PUBLIC_KEY_HEX;
import static org.prismpool.config.variable.LedgerVariables.LEDGER_WRITER_SESSION_TOKEN;
import static org.prismpool.config.variable.LedgerVariables.MANIFEST_SIGNING_SEED_HEX;
import static org.prismpool.config.variable.LedgerVariables.POSTGRES_PASSWORD;
import static org.prismpool.config.variable.LedgerVariables.POSTGRES_PSQL_COMMAND;
import static org.prismpool.config.variable.LifecycleVariables.MAX_BLOCKS;
import static org.prismpool.config.variable.LifecycleVariables.STOP_AFTER_BLOCK;
import static org.prismpool.config.variable.NodeVariables.QBIT_CHAIN;
import static org.prismpool.config.variable.NodeVariables.QBIT_EXPECTED_GENESIS_HASH;
import static org.prismpool.config.variable.NodeVariables.QBIT_PRODUCTION;
import static org.prismpool.config.variable.NodeVariables.QBIT_RPC_PASSWORD;
import static org.prismpool.config.variable.NodeVariables.QBIT_TOOLS_PRODUCTION;
import static org.prismpool.config.variable.RefreshVariables.TEMPLATE_REFRESH_FAILURE_EXIT_SECONDS;
import static org.prismpool.config.variable.StratumVariables.STRATUM_MAX_CONNECTIONS;
import static org.prismpool.config.variable.StratumVariables.STRATUM_SEND_TIMEOUT_SECONDS;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.prismpool.config.DatabaseUrl;
import org.prismpool.config.Environment;
import org.prismpool.config.Secret;
import org.prismpool.config.variable.Chains;
import org.prismpool.config.variable.Variable;

/** Rules P1-P20: what a pool with real money refuses. */
public final class ProductionRules {

    private static final String PUBLIC_PASSWORD = "change-this";
    private static final BigDecimal LAB_DIFFICULTY = new BigDecimal("1e-9");
    private static final List<Variable<Boolean>> TEST_SWITCHES = List.of(
            ALLOW_MEMORY_LEDGER,
            ALLOW_TEST_SIGNING_SEEDS,
            ALLOW_BUNDLE_EMBEDDED_LEDGER_KEY,
            ALLOW_FIXED_LEDGER_SESSION_TOKEN);
    private static final List<Variable<BigDecimal>> DIFFICULTIES =
            List.of(STRATUM_SHARE_DIFF, STRATUM_VARDIFF_MIN_DIFF, STRATUM_VARDIFF_START_DIFF, STRATUM_VARDIFF_MAX_DIFF);
    private static final List<Variable<?>> IDENTITY = List.of(
            MANIFEST_SIGNING_SEED_HEX,
            LEDGER_ATTESTATION_SIGNING_SEED_HEX,
            LEDGER_WRITER_PUBLIC_KEY_HEX,
            LEDGER_WRITER_ID,
            LEDGER_WRITER_EPOCH,
            AUDIT_DIR,
            EVIDENCE_PATH);

    private ProductionRules() {}

    /**
     * Tells whether the production gate applies.
     *
     * @param e values; an unreadable switch counts as off here and is an error of its own
     * @return true with either production switch, or on the main network
     */
    public static boolean production(Environment e) {
        return e.find(QBIT_PRODUCTION).orElse(false)
                || e.find(QBIT_TOOLS_PRODUCTION).orElse(false)
                || e.find(QBIT_CHAIN).map(Chains::isMainnet).orElse(false);
    }

    static List<Rule> rules() {
        List<Rule> rules = new ArrayList<>();
        for (Variable<Boolean> testSwitch : TEST_SWITCHES) {
            rules.add(production("P1", "test switches are off", (e, r) -> testSwitch(e, r, testSwitch), testSwitch));
        }
        rules.add(production(
                "P2",
                "main network: no stale grace",
                ProductionRules::staleGrace,
                QBIT_CHAIN,
                STRATUM_STALE_GRACE_SECONDS));
        for (Variable<BigDecimal> difficulty : DIFFICULTIES) {
            rules.add(production("P3", "difficulties are explicit", (e, r) -> explicit(e, r, difficulty), difficulty));
            rules.add(production("P5", "no lab difficulty", (e, r) -> labDifficulty(e, r, difficulty), difficulty));
        }
        rules.add(production(
                "P6",
                "vardiff minimum <= start <= maximum",
                ProductionRules::difficultyOrder,
                STRATUM_VARDIFF_MIN_DIFF,
                STRATUM_VARDIFF_START_DIFF,
                STRATUM_VARDIFF_MAX_DIFF));
        rules.add(
                production("P7", "a database is set", ProductionRules::database, DATABASE_URL, POSTGRES_PSQL_COMMAND));
        rules.add(production(
                "P8",
                "no default database password",
                ProductionRules::databasePassword,
                DATABASE_URL,
                POSTGRES_PSQL_COMMAND,
                POSTGRES_PASSWORD));
        for (Variable<?> identity : IDENTITY) {
            rules.add(production(
                    "P9", "keys, identity and paths are explicit", (e, r) -> explicit(e, r, identity), identity));
        }
        rules.add(production(
                "P10", "session tokens are managed", ProductionRules::sessionToken, LEDGER_WRITER_SESSION_TOKEN));
        rules.add(production(
                "P11",
                "connections are limited and first jobs expire",
                ProductionRules::limits,
                STRATUM_MAX_CONNECTIONS,
                STRATUM_INITIAL_JOB_TIMEOUT_SECONDS));
        rules.add(production("P12", "no default node password", ProductionRules::nodePassword, QBIT_RPC_PASSWORD));
        rules.add(production(
                "P13",
                "main network with CTV: a fixed market fee rate",
                ProductionRules::marketRate,
                QBIT_CHAIN,
                CTV_SETTLEMENT_ENABLED,
                CTV_FANOUT_FEE_MARKET_RATE_BITS_PER_1000_WEIGHT));
        rules.add(production(
                "P15",
                "the publication budget is on",
                (e, r) -> positive(e, r, TEMPLATE_REFRESH_FAILURE_EXIT_SECONDS),
                TEMPLATE_REFRESH_FAILURE_EXIT_SECONDS));
        rules.add(production(
                "P16",
                "sends are bounded",
                (e, r) -> positive(e, r, STRATUM_SEND_TIMEOUT_SECONDS),
                STRATUM_SEND_TIMEOUT_SECONDS));
        rules.add(production(
                "P17",
                "no public test seeds",
                ProductionRules::testSeeds,
                MANIFEST_SIGNING_SEED_HEX,
                LEDGER_ATTESTATION_SIGNING_SEED_HEX));
        rules.add(production("P18", "not on regtest", ProductionRules::notRegtest, QBIT_CHAIN));
        rules.add(production(
                "P19",
                "main network: the genesis hash is pinned",
                ProductionRules::genesis,
                QBIT_CHAIN,
                QBIT_EXPECTED_GENESIS_HASH));
        rules.add(production(
                "P20",
                "the pool should not stop after one block",
                ProductionRules::keepsRunning,
                STOP_AFTER_BLOCK,
                MAX_BLOCKS));
        return rules;
    }

    private static Rule production(String id, String text, Rule.Check check, Variable<?>... variables) {
        return Rule.of(
                id,
                "production: " + text,
                (e, report) -> {
                    if (production(e)) {
                        check.check(e, report);
                    }
                },
                variables);
    }

    private static boolean mainnet(Environment e) {
        return Chains.isMainnet(e.get(QBIT_CHAIN));
    }

    private static void testSwitch(Environment e, RuleReport report, Variable<Boolean> testSwitch) {
        if (e.get(testSwitch)) {
            report.error("production mode rejects " + testSwitch.name() + "=1", testSwitch);
        }
    }

    private static void staleGrace(Environment e, RuleReport report) {
        if (mainnet(e) && !e.get(STRATUM_STALE_GRACE_SECONDS).isZero()) {
            report.error("mainnet requires PRISM_STRATUM_STALE_GRACE_SECONDS=0", STRATUM_STALE_GRACE_SECONDS);
        }
    }

    private static void explicit(Environment e, RuleReport report, Variable<?> variable) {
        if (!e.given(variable)) {
            report.error("production mode requires " + variable.name() + " to be set explicitly", variable);
        }
    }

    private static void labDifficulty(Environment e, RuleReport report, Variable<BigDecimal> difficulty) {
        if (e.given(difficulty) && e.get(difficulty).compareTo(LAB_DIFFICULTY) == 0) {
            report.error("production mode cannot use the lab-only 1e-9 difficulty", difficulty);
        }
    }

    private static void difficultyOrder(Environment e, RuleReport report) {
        if (e.get(STRATUM_VARDIFF_MIN_DIFF).compareTo(e.get(STRATUM_VARDIFF_START_DIFF)) > 0) {
            report.error(
                    "production vardiff minimum exceeds its start difficulty",
                    STRATUM_VARDIFF_MIN_DIFF,
                    STRATUM_VARDIFF_START_DIFF);
        }
        if (e.get(STRATUM_VARDIFF_START_DIFF).compareTo(e.get(STRATUM_VARDIFF_MAX_DIFF)) > 0) {
            report.error(
                    "production vardiff start exceeds its maximum difficulty",
                    STRATUM_VARDIFF_START_DIFF,
                    STRATUM_VARDIFF_MAX_DIFF);
        }
    }

    private static void database(Environment e, RuleReport report) {
        if (e.find(DATABASE_URL).isEmpty() && e.find(POSTGRES_PSQL_COMMAND).isEmpty()) {
            report.error("production mode requires PRISM_DATABASE_URL or PRISM_POSTGRES_PSQL_COMMAND", DATABASE_URL);
        }
    }

    private static void databasePassword(Environment e, RuleReport report) {
        for (Variable<DatabaseUrl> dsn : List.of(DATABASE_URL, POSTGRES_PSQL_COMMAND)) {
            if (e.find(dsn).map(ProductionRules::carriesPublicPassword).orElse(false)) {
                report.error("production mode requires a non-default database password", dsn);
            }
        }
        if (e.find(POSTGRES_PASSWORD)
                .map(p -> p.reveal().equals(PUBLIC_PASSWORD))
                .orElse(false)) {
            report.error("production mode requires a non-default PRISM_POSTGRES_PASSWORD", POSTGRES_PASSWORD);
        }
    }

    private static boolean carriesPublicPassword(DatabaseUrl url) {
        return Stream.concat(
                        Stream.of(
                                url.toString(),
                                url.password().map(Secret::reveal).orElse("")),
                        url.parameters().values().stream())
                .anyMatch(text -> text.contains(PUBLIC_PASSWORD));
    }

    private static void sessionToken(Environment e, RuleReport report) {
        if (e.find(LEDGER_WRITER_SESSION_TOKEN).isPresent()) {
            report.error(
                    "production mode requires managed ledger session tokens; unset it", LEDGER_WRITER_SESSION_TOKEN);
        }
    }

    private static void limits(Environment e, RuleReport report) {
        if (e.get(STRATUM_MAX_CONNECTIONS) == 0) {
            report.error("production mode requires a positive PRISM_STRATUM_MAX_CONNECTIONS", STRATUM_MAX_CONNECTIONS);
        }
        positive(e, report, STRATUM_INITIAL_JOB_TIMEOUT_SECONDS);
    }

    private static void positive(Environment e, RuleReport report, Variable<Duration> variable) {
        if (e.get(variable).isZero()) {
            report.error("production mode requires a positive " + variable.name(), variable);
        }
    }

    private static void nodePassword(Environment e, RuleReport report) {
        if (e.find(QBIT_RPC_PASSWORD)
                .map(p -> p.reveal().equals(PUBLIC_PASSWORD))
                .orElse(false)) {
            report.error("production mode requires a non-default QBIT_RPC_PASSWORD", QBIT_RPC_PASSWORD);
        }
    }

    private static void marketRate(Environment e, RuleReport report) {
        boolean underItsOwnName = e.origin(CTV_FANOUT_FEE_MARKET_RATE_BITS_PER_1000_WEIGHT) == Environment.Origin.GIVEN;
        if (mainnet(e) && e.get(CTV_SETTLEMENT_ENABLED) && !underItsOwnName) {
            report.error(
                    "production mode requires a fixed market fee rate under this exact name",
                    CTV_FANOUT_FEE_MARKET_RATE_BITS_PER_1000_WEIGHT);
        }
    }

    private static void testSeeds(Environment e, RuleReport report) {
        for (Variable<Secret> seed : List.of(MANIFEST_SIGNING_SEED_HEX, LEDGER_ATTESTATION_SIGNING_SEED_HEX)) {
            String hex = e.find(seed).map(Secret::reveal).orElse("");
            if (hex.equals("42".repeat(32)) || hex.equals("43".repeat(32))) {
                report.error("production mode rejects the public test seeds", seed);
            }
        }
    }

    private static void notRegtest(Environment e, RuleReport report) {
        if (e.get(QBIT_CHAIN).equals("regtest")) {
            report.error("production mode rejects regtest QBIT_CHAIN", QBIT_CHAIN);
        }
    }

    private static void genesis(Environment e, RuleReport report) {
        if (mainnet(e) && e.find(QBIT_EXPECTED_GENESIS_HASH).isEmpty()) {
            report.error("is required on mainnet", QBIT_EXPECTED_GENESIS_HASH);
        }
    }

    private static void keepsRunning(Environment e, RuleReport report) {
        if (e.get(STOP_AFTER_BLOCK) || e.get(MAX_BLOCKS) <= 1) {
            report.warning(
                    "the pool stops or closes after its first block; a real pool sets 0 and 2147483647",
                    STOP_AFTER_BLOCK,
                    MAX_BLOCKS);
        }
    }
}
