package org.prismpool.config.rule;

import static org.prismpool.config.variable.DeliveryVariables.INITIAL_JOB_MAX_WORKERS;
import static org.prismpool.config.variable.DeliveryVariables.STRATUM_MAX_PENDING_INITIAL_JOBS;
import static org.prismpool.config.variable.DeliveryVariables.STRATUM_SAME_TIP_JOB_RETENTION_PER_CONNECTION;
import static org.prismpool.config.variable.DeliveryVariables.STRATUM_SAME_TIP_JOB_RETENTION_SECONDS;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_HIGHDIFF_BIND;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_HIGHDIFF_PORT;
import static org.prismpool.config.variable.HttpVariables.AUDIT_BIND;
import static org.prismpool.config.variable.HttpVariables.AUDIT_PORT;
import static org.prismpool.config.variable.PublicApiVariables.PUBLIC_API_BIND;
import static org.prismpool.config.variable.PublicApiVariables.PUBLIC_API_PORT;
import static org.prismpool.config.variable.StratumVariables.STRATUM_BIND;
import static org.prismpool.config.variable.StratumVariables.STRATUM_MAX_CONNECTIONS;
import static org.prismpool.config.variable.StratumVariables.STRATUM_PORT;
import static org.prismpool.config.variable.StratumVariables.STRATUM_PROXY_PROTOCOL;
import static org.prismpool.config.variable.StratumVariables.STRATUM_PROXY_TRUSTED_CIDRS;
import static org.prismpool.config.variable.StratumVariables.STRATUM_TLS_CERT_FILE;
import static org.prismpool.config.variable.StratumVariables.STRATUM_TLS_KEY_FILE;
import static org.prismpool.config.variable.StratumVariables.STRATUM_TLS_PORT;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.Variable;

/** Rules R1, R2, R5, H4, H6 and those of the TLS listener and the PROXY protocol: capacities and listening addresses. */
final class StratumRules {

    private static final Set<String> WILDCARDS = Set.of("0.0.0.0", "::", "[::]", "*");

    private StratumRules() {}

    static List<Rule> rules() {
        return List.of(
                Rule.of(
                        "R1",
                        "pending first jobs <= maximum connections, when those are limited",
                        StratumRules::pending,
                        STRATUM_MAX_CONNECTIONS,
                        STRATUM_MAX_PENDING_INITIAL_JOBS),
                Rule.of(
                        "R2",
                        "explicit first-job workers <= pending first jobs",
                        StratumRules::workers,
                        INITIAL_JOB_MAX_WORKERS,
                        STRATUM_MAX_PENDING_INITIAL_JOBS),
                Rule.of(
                        "R5",
                        "same-tip retention needs room for at least one job per connection",
                        StratumRules::retention,
                        STRATUM_SAME_TIP_JOB_RETENTION_SECONDS,
                        STRATUM_SAME_TIP_JOB_RETENTION_PER_CONNECTION),
                Rule.of(
                        "H4",
                        "Stratum listeners must not overlap",
                        StratumRules::stratumListeners,
                        STRATUM_BIND,
                        STRATUM_PORT,
                        STRATUM_HIGHDIFF_BIND,
                        STRATUM_HIGHDIFF_PORT,
                        STRATUM_TLS_PORT),
                Rule.of(
                        "H6",
                        "HTTP listeners must not overlap each other or a Stratum listener",
                        StratumRules::httpListeners,
                        AUDIT_BIND,
                        AUDIT_PORT,
                        PUBLIC_API_BIND,
                        PUBLIC_API_PORT,
                        STRATUM_BIND,
                        STRATUM_PORT,
                        STRATUM_HIGHDIFF_BIND,
                        STRATUM_HIGHDIFF_PORT,
                        STRATUM_TLS_PORT),
                Rule.of(
                        "TLS",
                        "a TLS port needs certificate and key",
                        StratumRules::tls,
                        STRATUM_TLS_PORT,
                        STRATUM_TLS_CERT_FILE,
                        STRATUM_TLS_KEY_FILE),
                Rule.of(
                        "PROXY",
                        "the PROXY protocol needs trusted networks",
                        StratumRules::proxy,
                        STRATUM_PROXY_PROTOCOL,
                        STRATUM_PROXY_TRUSTED_CIDRS));
    }

    /** Rule H6 of a process without a Stratum listener. */
    static Rule httpListenersOnly() {
        return Rule.of(
                "H6",
                "HTTP listeners must not overlap each other",
                (e, report) -> reportOverlaps(http(e), List.of(), report),
                AUDIT_BIND,
                AUDIT_PORT,
                PUBLIC_API_BIND,
                PUBLIC_API_PORT);
    }

    private static void pending(Environment e, RuleReport report) {
        int ceiling = e.get(STRATUM_MAX_CONNECTIONS);
        if (ceiling > 0 && e.get(STRATUM_MAX_PENDING_INITIAL_JOBS) > ceiling) {
            report.error(
                    "the first must be at most the second", STRATUM_MAX_PENDING_INITIAL_JOBS, STRATUM_MAX_CONNECTIONS);
        }
    }

    private static void workers(Environment e, RuleReport report) {
        if (e.get(INITIAL_JOB_MAX_WORKERS) > e.get(STRATUM_MAX_PENDING_INITIAL_JOBS)) {
            report.error(
                    "the first must be at most the second", INITIAL_JOB_MAX_WORKERS, STRATUM_MAX_PENDING_INITIAL_JOBS);
        }
    }

    private static void retention(Environment e, RuleReport report) {
        boolean on = !e.get(STRATUM_SAME_TIP_JOB_RETENTION_SECONDS).isZero();
        if (on && e.get(STRATUM_SAME_TIP_JOB_RETENTION_PER_CONNECTION) < 1) {
            report.error(
                    "must be at least 1 while the retention is on",
                    STRATUM_SAME_TIP_JOB_RETENTION_PER_CONNECTION,
                    STRATUM_SAME_TIP_JOB_RETENTION_SECONDS);
        }
    }

    /** A listening address with the variables that make it. */
    private record Listener(String bind, int port, Variable<?> bindVariable, Variable<?> portVariable) {
        boolean overlaps(Listener other) {
            return port == other.port
                    && (bind.equalsIgnoreCase(other.bind)
                            || WILDCARDS.contains(bind)
                            || WILDCARDS.contains(other.bind));
        }
    }

    private static List<Listener> stratum(Environment e) {
        List<Listener> listeners = new ArrayList<>();
        listeners.add(new Listener(e.get(STRATUM_BIND), e.get(STRATUM_PORT), STRATUM_BIND, STRATUM_PORT));
        e.find(STRATUM_HIGHDIFF_PORT)
                .ifPresent(port -> listeners.add(new Listener(
                        e.get(STRATUM_HIGHDIFF_BIND), port, STRATUM_HIGHDIFF_BIND, STRATUM_HIGHDIFF_PORT)));
        e.find(STRATUM_TLS_PORT)
                .ifPresent(
                        port -> listeners.add(new Listener(e.get(STRATUM_BIND), port, STRATUM_BIND, STRATUM_TLS_PORT)));
        return listeners;
    }

    private static void stratumListeners(Environment e, RuleReport report) {
        reportOverlaps(stratum(e), List.of(), report);
    }

    private static void httpListeners(Environment e, RuleReport report) {
        reportOverlaps(http(e), stratum(e), report);
    }

    private static List<Listener> http(Environment e) {
        List<Listener> http = new ArrayList<>();
        String auditBind = e.find(AUDIT_BIND).orElse("");
        if (!auditBind.isEmpty() && e.get(AUDIT_PORT) > 0) {
            http.add(new Listener(auditBind, e.get(AUDIT_PORT), AUDIT_BIND, AUDIT_PORT));
        }
        String publicBind = e.find(PUBLIC_API_BIND).orElse("");
        if (!publicBind.isEmpty()) {
            http.add(new Listener(publicBind, e.get(PUBLIC_API_PORT), PUBLIC_API_BIND, PUBLIC_API_PORT));
        }
        return http;
    }

    private static void reportOverlaps(List<Listener> among, List<Listener> against, RuleReport report) {
        for (int i = 0; i < among.size(); i++) {
            Listener one = among.get(i);
            List<Listener> others = new ArrayList<>(among.subList(0, i));
            others.addAll(against);
            for (Listener other : others) {
                if (one.overlaps(other)) {
                    report.error(
                            "must differ from the other listener's port on an equal or wildcard bind",
                            one.portVariable(),
                            one.bindVariable(),
                            other.portVariable(),
                            other.bindVariable());
                }
            }
        }
    }

    private static void tls(Environment e, RuleReport report) {
        if (e.find(STRATUM_TLS_PORT).isEmpty()) {
            return;
        }
        for (Variable<String> file : List.of(STRATUM_TLS_CERT_FILE, STRATUM_TLS_KEY_FILE)) {
            if (e.find(file).isEmpty()) {
                report.error("is required with a TLS port", file, STRATUM_TLS_PORT);
            }
        }
    }

    private static void proxy(Environment e, RuleReport report) {
        boolean trusted =
                e.find(STRATUM_PROXY_TRUSTED_CIDRS).map(list -> !list.isEmpty()).orElse(false);
        if (!e.get(STRATUM_PROXY_PROTOCOL).equals("off") && !trusted) {
            report.error(
                    "is required while the PROXY protocol is on", STRATUM_PROXY_TRUSTED_CIDRS, STRATUM_PROXY_PROTOCOL);
        }
    }
}
