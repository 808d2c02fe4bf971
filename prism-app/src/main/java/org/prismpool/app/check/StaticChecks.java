package org.prismpool.app.check;

import static org.prismpool.config.variable.CtvVariables.CTV_FANOUT_FEE_ESTIMATE_TARGET_BLOCKS;
import static org.prismpool.config.variable.CtvVariables.CTV_FANOUT_FEE_MARKET_RATE_BITS_PER_1000_WEIGHT;
import static org.prismpool.config.variable.CtvVariables.CTV_FANOUT_FEE_PREMIUM_BPS;
import static org.prismpool.config.variable.CtvVariables.CTV_SETTLEMENT_ENABLED;
import static org.prismpool.config.variable.DifficultyVariables.STRATUM_VARDIFF;
import static org.prismpool.config.variable.LedgerVariables.ALLOW_BUNDLE_EMBEDDED_LEDGER_KEY;
import static org.prismpool.config.variable.LedgerVariables.ALLOW_FIXED_LEDGER_SESSION_TOKEN;
import static org.prismpool.config.variable.LedgerVariables.ALLOW_MEMORY_LEDGER;
import static org.prismpool.config.variable.LedgerVariables.ALLOW_TEST_SIGNING_SEEDS;
import static org.prismpool.config.variable.LedgerVariables.DATABASE_URL;
import static org.prismpool.config.variable.LedgerVariables.LEDGER_ATTESTATION_SIGNING_SEED_HEX;
import static org.prismpool.config.variable.LedgerVariables.LEDGER_WRITER_EPOCH;
import static org.prismpool.config.variable.LedgerVariables.LEDGER_WRITER_ID;
import static org.prismpool.config.variable.LedgerVariables.LEDGER_WRITER_PUBLIC_KEY_HEX;
import static org.prismpool.config.variable.LedgerVariables.MANIFEST_SIGNING_SEED_HEX;
import static org.prismpool.config.variable.LedgerVariables.POSTGRES_PASSWORD;
import static org.prismpool.config.variable.LedgerVariables.POSTGRES_PSQL_COMMAND;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.prismpool.app.check.CheckRow.Level;
import org.prismpool.app.composition.settings.SettingsWithoutEffect;
import org.prismpool.config.ConfigReport;
import org.prismpool.config.Environment;
import org.prismpool.config.Finding;
import org.prismpool.config.ProcessRole;
import org.prismpool.config.render.ConfigPrinter;
import org.prismpool.config.variable.Variable;

/** Rows that need no backend: every finding of the configuration, and the named rows of spec 01 §6.2. */
final class StaticChecks {

    private static final String DEFAULT_PASSWORD = "change-this";

    private final ConfigReport report;
    private final Map<String, String> texts;
    private final ProcessRole role;
    private final boolean production;

    StaticChecks(ConfigReport report, Map<String, String> texts, ProcessRole role) {
        this.report = report;
        this.texts = texts;
        this.role = role;
        this.production = Words.isProduction(texts);
    }

    /** The rows of a process that has node, database and listeners, and nothing else of a pool. */
    List<CheckRow> rowsOfReader() {
        List<CheckRow> named = new ArrayList<>();
        StaticTopics.ofChain().forEach(topic -> named.add(topic.row(report.findings(), report.environment())));
        named.add(nodePassword());
        return withFindings(named);
    }

    List<CheckRow> rows() {
        List<CheckRow> named = new ArrayList<>();
        named.addAll(new Prelaunch(texts).rows());
        StaticTopics.all().forEach(topic -> named.add(topic.row(report.findings(), report.environment())));
        named.addAll(secrets());
        named.addAll(identity());
        named.addAll(switches());
        named.add(database());
        named.add(password("ledger.database_auth", "database", databaseHasDefaultPassword()));
        named.add(nodePassword());
        named.add(feeSource());
        if (!report.environment().find(STRATUM_VARDIFF).orElse(true)) {
            named.add(CheckRow.warn("mining.vardiff", "disabled: every connection has the share difficulty"));
        }
        named.addAll(new PackagingChecks(texts).rows());
        return withFindings(named);
    }

    /** Rows of the contract first, in their order; then each finding under its own id. */
    private List<CheckRow> withFindings(List<CheckRow> named) {
        Map<String, CheckRow> byId = new LinkedHashMap<>();
        named.forEach(row -> byId.merge(row.id(), row, StaticChecks::worse));
        report.findings().forEach(finding -> {
            CheckRow row = row(finding);
            byId.merge(row.id(), row, StaticChecks::worse);
        });
        SettingsWithoutEffect.given(texts, role).forEach(name -> {
            CheckRow row = CheckRow.warn("env." + name, "is accepted and nothing in this program reads it");
            byId.merge(row.id(), row, StaticChecks::worse);
        });
        return List.copyOf(byId.values());
    }

    /** Two findings of one id become one row with the worse level; nothing that was said is lost. */
    private static CheckRow worse(CheckRow first, CheckRow second) {
        if (first.level() == Level.PASS) {
            return second;
        }
        if (second.level() == Level.PASS || first.detail().equals(second.detail())) {
            return first;
        }
        Level level = first.level().compareTo(second.level()) >= 0 ? first.level() : second.level();
        return new CheckRow(
                level,
                first.id(),
                first.detail() + " | " + second.detail(),
                first.hint().or(second::hint));
    }

    private static CheckRow row(Finding finding) {
        String id = finding.code() == Finding.Code.RULE
                ? finding.rule()
                : "env." + finding.variables().get(0);
        CheckRow row = new CheckRow(Topic.level(finding), id, Topic.text(finding), Optional.empty());
        return row.withHint("prism config explain " + finding.variables().get(0));
    }

    private List<CheckRow> secrets() {
        return Stream.of(MANIFEST_SIGNING_SEED_HEX, LEDGER_ATTESTATION_SIGNING_SEED_HEX, LEDGER_WRITER_PUBLIC_KEY_HEX)
                .map(this::secret)
                .toList();
    }

    private CheckRow secret(Variable<?> variable) {
        String id = "env." + variable.name();
        return isGiven(variable)
                ? CheckRow.pass(id, "configured")
                : CheckRow.fail(id, "missing").withHint("prism keys generate makes a seed, prism keys public its key");
    }

    private List<CheckRow> identity() {
        return Stream.of(LEDGER_WRITER_ID, LEDGER_WRITER_EPOCH)
                .map(variable -> {
                    String id = "env." + variable.name();
                    if (production && !isGiven(variable)) {
                        return CheckRow.fail(id, "must be explicit in production");
                    }
                    return CheckRow.judged(
                            !"".equals(texts.get(variable.name())), id, value(report.environment(), variable));
                })
                .toList();
    }

    private List<CheckRow> switches() {
        return Stream.of(
                        ALLOW_MEMORY_LEDGER,
                        ALLOW_TEST_SIGNING_SEEDS,
                        ALLOW_BUNDLE_EMBEDDED_LEDGER_KEY,
                        ALLOW_FIXED_LEDGER_SESSION_TOKEN)
                .map(variable -> {
                    String id = "env." + variable.name();
                    if (!report.environment().find(variable).orElse(false)) {
                        return CheckRow.pass(id, "disabled");
                    }
                    return production
                            ? CheckRow.fail(id, "must be off in production")
                            : CheckRow.warn(id, "on: for tests and laboratories only");
                })
                .toList();
    }

    private CheckRow database() {
        if (isGiven(DATABASE_URL) || isGiven(POSTGRES_PSQL_COMMAND)) {
            return CheckRow.pass("ledger.database", "configured");
        }
        return production
                ? CheckRow.fail("ledger.database", "PRISM_DATABASE_URL is missing")
                : CheckRow.warn("ledger.database", "no database: the ledger is in memory and lost at the end");
    }

    private boolean databaseHasDefaultPassword() {
        return DEFAULT_PASSWORD.equals(texts.get(POSTGRES_PASSWORD.name()))
                || Stream.of(DATABASE_URL, POSTGRES_PSQL_COMMAND)
                        .anyMatch(variable ->
                                texts.getOrDefault(variable.name(), "").contains(DEFAULT_PASSWORD));
    }

    private String rpcProblem() {
        boolean cookie = !texts.getOrDefault("PRISM_QBIT_RPC_COOKIE_FILE", "").isEmpty();
        boolean both = Stream.of("QBIT_RPC_USER", "QBIT_RPC_PASSWORD")
                .noneMatch(name -> texts.getOrDefault(name, "").isEmpty());
        return cookie || both ? "" : "QBIT_RPC_USER and QBIT_RPC_PASSWORD are needed, or PRISM_QBIT_RPC_COOKIE_FILE";
    }

    private CheckRow nodePassword() {
        return password("qbit.rpc_auth", "node", DEFAULT_PASSWORD.equals(texts.get("QBIT_RPC_PASSWORD")), rpcProblem());
    }

    private CheckRow password(String id, String what, boolean isDefault) {
        return password(id, what, isDefault, "");
    }

    private CheckRow password(String id, String what, boolean isDefault, String problem) {
        if (!problem.isEmpty()) {
            return CheckRow.fail(id, problem);
        }
        if (!isDefault) {
            return CheckRow.pass(id, "not the default");
        }
        String detail = "the " + what + " password is the packaged default";
        return (production ? CheckRow.fail(id, detail) : CheckRow.warn(id, detail)).withHint("choose another one");
    }

    /** A rate that is fixed is known now; one that the node estimates is judged live. */
    private CheckRow feeSource() {
        Environment e = report.environment();
        if (!e.find(CTV_SETTLEMENT_ENABLED).orElse(false)) {
            return CheckRow.pass("ctv.fee_source", "disabled");
        }
        return e.find(CTV_FANOUT_FEE_MARKET_RATE_BITS_PER_1000_WEIGHT)
                .map(rate -> CheckRow.pass("ctv.fee_source", rate + " bits per 1000 weight"))
                .orElseGet(() -> Words.isMainnet(texts)
                        ? CheckRow.fail("ctv.fee_source", "the main network needs a fixed rate")
                        : CheckRow.warn(
                                "ctv.fee_source",
                                "estimated by the node for "
                                        + value(e, CTV_FANOUT_FEE_ESTIMATE_TARGET_BLOCKS)
                                        + " blocks, premium " + value(e, CTV_FANOUT_FEE_PREMIUM_BPS) + " bps"));
    }

    private boolean isGiven(Variable<?> variable) {
        return !texts.getOrDefault(variable.name(), "").isEmpty();
    }

    static String value(Environment e, Variable<?> variable) {
        return ConfigPrinter.shown(variable, e).orElse("unset");
    }

    /** Values side by side, each with its name without the common prefix. */
    static String values(Environment e, Variable<?>... variables) {
        return Stream.of(variables)
                .map(variable -> variable.name().replaceFirst("^(PRISM|QBIT)_", "") + "=" + value(e, variable))
                .collect(Collectors.joining(" "));
    }
}
