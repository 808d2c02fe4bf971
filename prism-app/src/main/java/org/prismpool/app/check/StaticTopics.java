package org.prismpool.app.check;

import static org.prismpool.config.variable.BundleVariables.AUDIT_BUNDLE_TERMINATE_GRACE_SECONDS;
import static org.prismpool.config.variable.BundleVariables.BUNDLE_BUILD_TIMEOUT_SECONDS;
import static org.prismpool.config.variable.BundleVariables.MIN_READY_MINERS;
import static org.prismpool.config.variable.CtvVariables.CTV_FANOUT_FEE_ESTIMATE_TARGET_BLOCKS;
import static org.prismpool.config.variable.CtvVariables.CTV_FANOUT_FEE_MARKET_RATE_BITS_PER_1000_WEIGHT;
import static org.prismpool.config.variable.CtvVariables.CTV_FANOUT_FEE_PREMIUM_BPS;
import static org.prismpool.config.variable.CtvVariables.CTV_SETTLEMENT_ENABLED;
import static org.prismpool.config.variable.DeliveryVariables.STRATUM_STALE_GRACE_SECONDS;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_HIGHDIFF_MAX_DIFF;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_HIGHDIFF_MIN_DIFF;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_HIGHDIFF_PORT;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_HIGHDIFF_SHARE_DIFF;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_HIGHDIFF_START_DIFF;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_SHARE_DIFF;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_VARDIFF;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_VARDIFF_EWMA_ALPHA;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_VARDIFF_MAX_DIFF;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_VARDIFF_MAX_STEP_DOWN;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_VARDIFF_MAX_STEP_UP;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_VARDIFF_MIN_DIFF;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_VARDIFF_START_DIFF;
import static org.prismpool.config.variable.HttpVariables.AUDIT_DIR;
import static org.prismpool.config.variable.HttpVariables.EVIDENCE_PATH;
import static org.prismpool.config.variable.LedgerVariables.LEDGER_LEASE_TTL_SECONDS;
import static org.prismpool.config.variable.LifecycleVariables.WATCHDOG_ENABLED;
import static org.prismpool.config.variable.LifecycleVariables.WATCHDOG_TIMEOUT_SECONDS;
import static org.prismpool.config.variable.LifecycleVariables.WRITER_QUIESCENCE_TIMEOUT_SECONDS;
import static org.prismpool.config.variable.NodeVariables.QBIT_CHAIN;
import static org.prismpool.config.variable.NodeVariables.QBIT_EXPECTED_GENESIS_HASH;
import static org.prismpool.config.variable.PayoutVariables.COINBASE_OUTPUT_POLICY;
import static org.prismpool.config.variable.PayoutVariables.POOL_FEE_BPS;
import static org.prismpool.config.variable.PayoutVariables.POOL_FEE_ENABLED;
import static org.prismpool.config.variable.RefreshVariables.TIP_REFRESH_TIMEOUT_SECONDS;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.prismpool.config.Environment;
import org.prismpool.config.rule.ProductionRules;
import org.prismpool.config.variable.Variable;

/** The named static rows that the configuration's findings decide. */
final class StaticTopics {

    private StaticTopics() {}

    /** The rows about the chain alone. */
    static List<Topic> ofChain() {
        return List.of(
                topic("qbit.chain", Set.of("P18"), StaticTopics::chain, QBIT_CHAIN),
                topic("qbit.genesis_config", Set.of("P19"), StaticTopics::genesis, QBIT_EXPECTED_GENESIS_HASH));
    }

    static List<Topic> all() {
        return Stream.concat(ofChain().stream(), ofCoordinator().stream()).toList();
    }

    private static List<Topic> ofCoordinator() {
        return List.of(
                new Topic("keys.match", Set.of("S3"), List.of(), e -> "match, or not compared"),
                new Topic("keys.test_seeds", Set.of("P17"), List.of(), e -> "no public test seed is given"),
                topic("audit.paths", Set.of("P9"), shows(AUDIT_DIR, EVIDENCE_PATH), AUDIT_DIR, EVIDENCE_PATH),
                topic("mining.min_ready", Set.of(), shows(MIN_READY_MINERS), MIN_READY_MINERS),
                topic("mining.share_diff", Set.of("V4"), shows(STRATUM_SHARE_DIFF), STRATUM_SHARE_DIFF),
                topic(
                        "mining.stale_grace",
                        Set.of("P2"),
                        shows(STRATUM_STALE_GRACE_SECONDS),
                        STRATUM_STALE_GRACE_SECONDS),
                vardiff(),
                new Topic(
                        "mining.production_difficulty",
                        Set.of("P3", "P4", "P5", "P6"),
                        List.of(),
                        e -> ProductionRules.production(e) ? "explicit and ordered" : "not production"),
                highDiff(),
                new Topic(
                        "pool.fee",
                        Set.of("F1", "F2", "F3", "F4"),
                        List.of(POOL_FEE_ENABLED, POOL_FEE_BPS),
                        e -> e.find(POOL_FEE_ENABLED).orElse(false)
                                ? StaticChecks.value(e, POOL_FEE_BPS) + " bps"
                                : "disabled"),
                topic("coinbase.output_policy", Set.of("F5"), shows(COINBASE_OUTPUT_POLICY), COINBASE_OUTPUT_POLICY),
                topic("ctv.fee_premium", Set.of(), ctv(CTV_FANOUT_FEE_PREMIUM_BPS), CTV_FANOUT_FEE_PREMIUM_BPS),
                topic(
                        "ctv.fee_source",
                        Set.of("P13"),
                        ctv(CTV_FANOUT_FEE_MARKET_RATE_BITS_PER_1000_WEIGHT),
                        CTV_FANOUT_FEE_MARKET_RATE_BITS_PER_1000_WEIGHT,
                        CTV_FANOUT_FEE_ESTIMATE_TARGET_BLOCKS),
                watchdog(),
                new Topic(
                        "timing.lease",
                        Set.of("L1", "L2"),
                        List.of(),
                        shows(LEDGER_LEASE_TTL_SECONDS, WRITER_QUIESCENCE_TIMEOUT_SECONDS)));
    }

    private static Topic vardiff() {
        return topic(
                "mining.vardiff",
                Set.of("V1", "V2", "P6"),
                e -> e.find(STRATUM_VARDIFF).orElse(true)
                        ? shows(STRATUM_VARDIFF_MIN_DIFF, STRATUM_VARDIFF_START_DIFF, STRATUM_VARDIFF_MAX_DIFF)
                                .apply(e)
                        : "disabled: every connection has the share difficulty",
                STRATUM_VARDIFF_MIN_DIFF,
                STRATUM_VARDIFF_START_DIFF,
                STRATUM_VARDIFF_MAX_DIFF,
                STRATUM_VARDIFF_MAX_STEP_UP,
                STRATUM_VARDIFF_MAX_STEP_DOWN,
                STRATUM_VARDIFF_EWMA_ALPHA);
    }

    private static Topic highDiff() {
        return topic(
                "mining.highdiff",
                Set.of("H1", "H2", "H3", "H4"),
                e -> e.find(STRATUM_HIGHDIFF_PORT).isPresent()
                        ? shows(STRATUM_HIGHDIFF_MIN_DIFF, STRATUM_HIGHDIFF_START_DIFF, STRATUM_HIGHDIFF_MAX_DIFF)
                                .apply(e)
                        : "disabled",
                STRATUM_HIGHDIFF_PORT,
                STRATUM_HIGHDIFF_MIN_DIFF,
                STRATUM_HIGHDIFF_START_DIFF,
                STRATUM_HIGHDIFF_MAX_DIFF,
                STRATUM_HIGHDIFF_SHARE_DIFF);
    }

    private static Topic watchdog() {
        return new Topic(
                "timing.watchdog",
                Set.of("W1", "W2", "W3", "W4", "W5", "W6"),
                List.of(),
                shows(
                        WATCHDOG_ENABLED,
                        WATCHDOG_TIMEOUT_SECONDS,
                        TIP_REFRESH_TIMEOUT_SECONDS,
                        BUNDLE_BUILD_TIMEOUT_SECONDS,
                        AUDIT_BUNDLE_TERMINATE_GRACE_SECONDS));
    }

    private static String chain(Environment e) {
        return StaticChecks.value(e, QBIT_CHAIN) + (ProductionRules.production(e) ? ", production" : "");
    }

    private static String genesis(Environment e) {
        return e.find(QBIT_EXPECTED_GENESIS_HASH).map(String::valueOf).orElse("not pinned");
    }

    private static Function<Environment, String> ctv(Variable<?>... variables) {
        return e -> e.find(CTV_SETTLEMENT_ENABLED).orElse(false) ? StaticChecks.values(e, variables) : "disabled";
    }

    private static Function<Environment, String> shows(Variable<?>... variables) {
        return e -> StaticChecks.values(e, variables);
    }

    private static Topic topic(
            String id, Set<String> rules, Function<Environment, String> shown, Variable<?>... variables) {
        return new Topic(id, rules, List.of(variables), shown);
    }
}
