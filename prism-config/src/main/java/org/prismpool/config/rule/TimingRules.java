package org.prismpool.config.rule;

import static org.prismpool.config.variable.BlockVariables.BLOCK_LANDING_DB_TIMEOUT_MAX_SECONDS;
import static org.prismpool.config.variable.BlockVariables.BLOCK_LANDING_DB_TIMEOUT_SECONDS;
import static org.prismpool.config.variable.BlockVariables.BLOCK_SUBMIT_DB_TIMEOUT_SECONDS;
import static org.prismpool.config.variable.BlockVariables.BLOCK_SUBMIT_RPC_TIMEOUT_SECONDS;
import static org.prismpool.config.variable.BlockVariables.BLOCK_SUBMIT_STUCK_CALL_EXIT_SECONDS;
import static org.prismpool.config.variable.BundleVariables.AUDIT_BUNDLE_TERMINATE_GRACE_SECONDS;
import static org.prismpool.config.variable.BundleVariables.BUNDLE_BUILD_TIMEOUT_SECONDS;
import static org.prismpool.config.variable.BundleVariables.JOB_BUILD_TIMEOUT_SECONDS;
import static org.prismpool.config.variable.LedgerVariables.POSTGRES_OPERATION_TIMEOUT_SECONDS;
import static org.prismpool.config.variable.LifecycleVariables.HEALTH_TIP_POLL_MAX_AGE_SECONDS;
import static org.prismpool.config.variable.LifecycleVariables.WATCHDOG_ENABLED;
import static org.prismpool.config.variable.LifecycleVariables.WATCHDOG_INTERVAL_SECONDS;
import static org.prismpool.config.variable.LifecycleVariables.WATCHDOG_LEASE_RELEASE_TIMEOUT_SECONDS;
import static org.prismpool.config.variable.LifecycleVariables.WATCHDOG_TIMEOUT_SECONDS;
import static org.prismpool.config.variable.LifecycleVariables.WRITER_QUIESCENCE_TIMEOUT_SECONDS;
import static org.prismpool.config.variable.NodeVariables.QBIT_RPC_TIMEOUT_SECONDS;
import static org.prismpool.config.variable.RefreshVariables.BLOCKPOLL_SECONDS;
import static org.prismpool.config.variable.RefreshVariables.BLOCKWAIT_TIMEOUT_SECONDS;
import static org.prismpool.config.variable.RefreshVariables.CLIENT_JOB_LOCK_TIMEOUT_SECONDS;
import static org.prismpool.config.variable.RefreshVariables.TIP_REFRESH_LOCK_TIMEOUT_SECONDS;
import static org.prismpool.config.variable.RefreshVariables.TIP_REFRESH_TIMEOUT_SECONDS;
import static org.prismpool.config.variable.ShareWriterVariables.SHARE_COMMIT_TIMEOUT_SECONDS;
import static org.prismpool.config.variable.StratumVariables.STRATUM_SEND_TIMEOUT_SECONDS;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.Variable;

/** Rules W1-W6, T1 and B1-B3: bounds that must fit into each other. */
final class TimingRules {

    private static final List<Variable<Duration>> WATCHED = List.of(
            QBIT_RPC_TIMEOUT_SECONDS,
            POSTGRES_OPERATION_TIMEOUT_SECONDS,
            TIP_REFRESH_TIMEOUT_SECONDS,
            TIP_REFRESH_LOCK_TIMEOUT_SECONDS,
            CLIENT_JOB_LOCK_TIMEOUT_SECONDS,
            BUNDLE_BUILD_TIMEOUT_SECONDS,
            STRATUM_SEND_TIMEOUT_SECONDS,
            WRITER_QUIESCENCE_TIMEOUT_SECONDS,
            WATCHDOG_LEASE_RELEASE_TIMEOUT_SECONDS);
    private static final List<Variable<Duration>> SHOULD_FIT = List.of(
            JOB_BUILD_TIMEOUT_SECONDS,
            BLOCK_SUBMIT_RPC_TIMEOUT_SECONDS,
            BLOCK_SUBMIT_DB_TIMEOUT_SECONDS,
            SHARE_COMMIT_TIMEOUT_SECONDS);
    private static final Duration BLOCKWAIT_SURPLUS = Duration.ofSeconds(10);

    private TimingRules() {}

    static List<Rule> rules() {
        List<Rule> rules = new ArrayList<>();
        // One rule instance per bound: an unreadable bound must not hide the violation of another.
        for (Variable<Duration> bound : WATCHED) {
            rules.add(Rule.of(
                    "W1",
                    bound.name() + " < watchdog timeout, while the watchdog is on",
                    (e, report) -> watched(e, report, bound),
                    WATCHDOG_ENABLED,
                    WATCHDOG_TIMEOUT_SECONDS,
                    bound));
        }
        rules.add(Rule.of(
                "W2",
                "bundle build + 2 x terminate grace < tip refresh",
                TimingRules::bundleInRefresh,
                BUNDLE_BUILD_TIMEOUT_SECONDS,
                AUDIT_BUNDLE_TERMINATE_GRACE_SECONDS,
                TIP_REFRESH_TIMEOUT_SECONDS));
        rules.add(Rule.of(
                "W3",
                "watchdog interval < watchdog timeout",
                TimingRules::interval,
                WATCHDOG_ENABLED,
                WATCHDOG_INTERVAL_SECONDS,
                WATCHDOG_TIMEOUT_SECONDS));
        rules.add(Rule.of(
                "W4",
                "watchdog timeout of at least one second",
                TimingRules::watchdogFloor,
                WATCHDOG_ENABLED,
                WATCHDOG_TIMEOUT_SECONDS));
        rules.add(Rule.of(
                "W5",
                "blockwait budget < watchdog timeout; its surplus shrinks if need be",
                TimingRules::blockwait,
                WATCHDOG_ENABLED,
                BLOCKWAIT_TIMEOUT_SECONDS,
                WATCHDOG_TIMEOUT_SECONDS));
        for (Variable<Duration> bound : SHOULD_FIT) {
            rules.add(Rule.of(
                    "W6",
                    bound.name() + " should be < watchdog timeout",
                    (e, report) -> shouldFit(e, report, bound),
                    WATCHDOG_ENABLED,
                    WATCHDOG_TIMEOUT_SECONDS,
                    bound));
        }
        rules.add(Rule.of(
                "T1",
                "poll interval < health limit of the tip poll",
                TimingRules::pollHealth,
                BLOCKPOLL_SECONDS,
                HEALTH_TIP_POLL_MAX_AGE_SECONDS));
        rules.add(Rule.of(
                "B1",
                "landing deadline cap >= landing deadline",
                TimingRules::landingCap,
                BLOCK_LANDING_DB_TIMEOUT_MAX_SECONDS,
                BLOCK_LANDING_DB_TIMEOUT_SECONDS));
        rules.add(Rule.of(
                "B2",
                "landing deadline >= outbox deadline",
                TimingRules::landingBase,
                BLOCK_LANDING_DB_TIMEOUT_SECONDS,
                BLOCK_SUBMIT_DB_TIMEOUT_SECONDS));
        rules.add(Rule.of(
                "B3",
                "submitblock budget <= stuck-call limit",
                TimingRules::stuckCall,
                BLOCK_SUBMIT_RPC_TIMEOUT_SECONDS,
                BLOCK_SUBMIT_STUCK_CALL_EXIT_SECONDS));
        return rules;
    }

    private static boolean notBelow(Duration a, Duration b) {
        return a.compareTo(b) >= 0;
    }

    private static void watched(Environment e, RuleReport report, Variable<Duration> bound) {
        boolean off = e.get(bound).isZero(); // only the send timeout may be zero: unbounded
        if (e.get(WATCHDOG_ENABLED) && !off && notBelow(e.get(bound), e.get(WATCHDOG_TIMEOUT_SECONDS))) {
            report.error(
                    "the first must be less than the second while PRISM_WATCHDOG_ENABLED=1",
                    bound,
                    WATCHDOG_TIMEOUT_SECONDS);
        }
    }

    private static void bundleInRefresh(Environment e, RuleReport report) {
        Duration needed = e.get(BUNDLE_BUILD_TIMEOUT_SECONDS)
                .plus(e.get(AUDIT_BUNDLE_TERMINATE_GRACE_SECONDS).multipliedBy(2));
        if (notBelow(needed, e.get(TIP_REFRESH_TIMEOUT_SECONDS))) {
            report.error(
                    "the first plus twice the second must be less than the third",
                    BUNDLE_BUILD_TIMEOUT_SECONDS,
                    AUDIT_BUNDLE_TERMINATE_GRACE_SECONDS,
                    TIP_REFRESH_TIMEOUT_SECONDS);
        }
    }

    private static void interval(Environment e, RuleReport report) {
        if (e.get(WATCHDOG_ENABLED) && notBelow(e.get(WATCHDOG_INTERVAL_SECONDS), e.get(WATCHDOG_TIMEOUT_SECONDS))) {
            report.warning(
                    "the first should be less than the second; detection takes up to their sum",
                    WATCHDOG_INTERVAL_SECONDS,
                    WATCHDOG_TIMEOUT_SECONDS);
        }
    }

    private static void watchdogFloor(Environment e, RuleReport report) {
        if (e.get(WATCHDOG_ENABLED) && e.get(WATCHDOG_TIMEOUT_SECONDS).compareTo(Duration.ofSeconds(1)) < 0) {
            report.error(
                    "must be at least 1 second while the watchdog is on", WATCHDOG_TIMEOUT_SECONDS, WATCHDOG_ENABLED);
        }
    }

    private static void blockwait(Environment e, RuleReport report) {
        Duration watchdog = e.get(WATCHDOG_TIMEOUT_SECONDS);
        if (e.get(WATCHDOG_ENABLED) && notBelow(e.get(BLOCKWAIT_TIMEOUT_SECONDS).plus(BLOCKWAIT_SURPLUS), watchdog)) {
            report.warning(
                    "the wait plus 10 s is not less than the watchdog timeout; wait and surplus are reduced",
                    BLOCKWAIT_TIMEOUT_SECONDS,
                    WATCHDOG_TIMEOUT_SECONDS);
        }
    }

    private static void shouldFit(Environment e, RuleReport report, Variable<Duration> bound) {
        if (e.get(WATCHDOG_ENABLED) && notBelow(e.get(bound), e.get(WATCHDOG_TIMEOUT_SECONDS))) {
            report.warning("the first should be less than the second", bound, WATCHDOG_TIMEOUT_SECONDS);
        }
    }

    private static void pollHealth(Environment e, RuleReport report) {
        if (notBelow(e.get(BLOCKPOLL_SECONDS), e.get(HEALTH_TIP_POLL_MAX_AGE_SECONDS))) {
            report.warning(
                    "the first should be less than the second, else health can never be green",
                    BLOCKPOLL_SECONDS,
                    HEALTH_TIP_POLL_MAX_AGE_SECONDS);
        }
    }

    private static void landingCap(Environment e, RuleReport report) {
        if (e.get(BLOCK_LANDING_DB_TIMEOUT_MAX_SECONDS).compareTo(e.get(BLOCK_LANDING_DB_TIMEOUT_SECONDS)) < 0) {
            report.warning(
                    "the cap is below the first deadline, which then is the cap",
                    BLOCK_LANDING_DB_TIMEOUT_MAX_SECONDS,
                    BLOCK_LANDING_DB_TIMEOUT_SECONDS);
        }
    }

    private static void landingBase(Environment e, RuleReport report) {
        if (e.get(BLOCK_LANDING_DB_TIMEOUT_SECONDS).compareTo(e.get(BLOCK_SUBMIT_DB_TIMEOUT_SECONDS)) < 0) {
            report.warning(
                    "a landing should not start with less than the outbox deadline",
                    BLOCK_LANDING_DB_TIMEOUT_SECONDS,
                    BLOCK_SUBMIT_DB_TIMEOUT_SECONDS);
        }
    }

    private static void stuckCall(Environment e, RuleReport report) {
        if (e.get(BLOCK_SUBMIT_RPC_TIMEOUT_SECONDS).compareTo(e.get(BLOCK_SUBMIT_STUCK_CALL_EXIT_SECONDS)) > 0) {
            report.warning(
                    "the first should be at most the second",
                    BLOCK_SUBMIT_RPC_TIMEOUT_SECONDS,
                    BLOCK_SUBMIT_STUCK_CALL_EXIT_SECONDS);
        }
    }
}
