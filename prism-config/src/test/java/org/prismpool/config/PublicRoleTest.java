package org.prismpool.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.config.Baselines.with;
import static org.prismpool.config.Baselines.without;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.prismpool.config.render.ConfigExplainer;
import org.prismpool.config.render.ConfigPrinter;
import org.prismpool.config.rule.Rule;
import org.prismpool.config.variable.LedgerVariables;
import org.prismpool.config.variable.PublicApiVariables;
import org.prismpool.config.variable.Variable;

/** What {@code prism run --role public} needs, ignores and refuses. Source: spec 01 §1.5, spec 08 §7.9. */
class PublicRoleTest {

    private static final String PUBLIC_DATABASE = "PRISM_PUBLIC_DATABASE_URL=postgresql://reader@replica/pool";
    private static final String STRATUM_URL = "PRISM_PUBLIC_STRATUM_URL=stratum+tcp://pool.example:3340";

    private static Map<String, String> minimal() {
        return with(
                Map.of(), "QBIT_RPC_HOST=q", "QBIT_RPC_USER=u", "QBIT_RPC_PASSWORD=p", PUBLIC_DATABASE, STRATUM_URL);
    }

    private static ConfigReport asPublic(Map<String, String> environment) {
        return PrismConfiguration.loader(ProcessRole.PUBLIC).load(environment);
    }

    private static Set<String> rules(ConfigReport report) {
        return report.findings().stream().map(Finding::rule).collect(Collectors.toSet());
    }

    @Test
    void nodeDatabaseAndAdvertisedAddressAreEnough() {
        ConfigReport report = asPublic(minimal());

        assertThat(report.findings()).isEmpty();
        assertThat(report.environment().get(PublicApiVariables.PUBLIC_STRATUM_URL))
                .isEqualTo("stratum+tcp://pool.example:3340");
        assertThat(report.environment().get(PublicApiVariables.PUBLIC_API_BIND)).isEqualTo("127.0.0.1");
        assertThat(report.environment().get(PublicApiVariables.PUBLIC_API_PORT)).isEqualTo(3342);
        assertThat(report.environment().get(PublicApiVariables.PUBLIC_MINIMUM_PAYOUT_BITS))
                .isZero();
    }

    @Test
    void anEmptyEnvironmentReportsEveryMissingNameAtOnceAndNoKeyOrLedger() {
        ConfigReport report = asPublic(Map.of());

        assertThat(report.errors().stream().map(f -> f.variables().get(0)))
                .containsExactlyInAnyOrder(
                        "QBIT_RPC_HOST",
                        "QBIT_RPC_USER",
                        "QBIT_RPC_PASSWORD",
                        "PRISM_PUBLIC_DATABASE_URL",
                        "PRISM_PUBLIC_STRATUM_URL");
        assertThat(report.errors().stream()
                        .filter(f -> f.variables().get(0).startsWith("PRISM_PUBLIC"))
                        .map(Finding::code))
                .containsOnly(Finding.Code.REQUIRED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PRISM_PUBLIC_DATABASE_URL", "PRISM_PUBLIC_STRATUM_URL"})
    void anEmptyTextIsNoValueOfARequiredName(String name) {
        ConfigReport report = asPublic(with(minimal(), name + "="));

        assertThat(report.errors()).singleElement().satisfies(f -> {
            assertThat(f.variables()).containsExactly(name);
            assertThat(f.code()).isEqualTo(Finding.Code.REQUIRED);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"PRISM_PUBLIC_DATABASE_URL", "PRISM_PUBLIC_STRATUM_URL"})
    void aMalformedRequiredNameIsAnErrorAndNotReplacedByADefault(String name) {
        ConfigReport report = asPublic(with(minimal(), name + "=nonsense"));

        assertThat(report.errors()).anySatisfy(f -> {
            assertThat(f.variables()).containsExactly(name);
            assertThat(f.code()).isEqualTo(Finding.Code.MALFORMED);
        });
    }

    @Test
    void theMemoryLedgerDoesNotReplaceTheDatabase() {
        ConfigReport report =
                asPublic(with(without(minimal(), "PRISM_PUBLIC_DATABASE_URL"), "PRISM_ALLOW_MEMORY_LEDGER=1"));

        assertThat(report.errors())
                .singleElement()
                .satisfies(f -> assertThat(f.variables()).containsExactly("PRISM_PUBLIC_DATABASE_URL"));
    }

    @Test
    void theCoordinatorsDatabaseDoesNotReplaceThePublicOne() {
        ConfigReport report =
                asPublic(with(without(minimal(), "PRISM_PUBLIC_DATABASE_URL"), "PRISM_DATABASE_URL=postgresql://h/d"));

        assertThat(report.ok()).isFalse();
        assertThat(report.environment().find(LedgerVariables.DATABASE_URL)).isEmpty();
    }

    /** Rule, and what breaks it beside the baseline of the given mode. */
    static Stream<Arguments> rulesOfTheCoordinator() {
        return Stream.of(
                broken("S1", false, "PRISM_LEDGER_WRITER_PUBLIC_KEY_HEX=" + "00".repeat(32)),
                broken("S2", false, "PRISM_ALLOW_TEST_SIGNING_SEEDS=1"),
                broken(
                        "S3",
                        false,
                        "PRISM_LEDGER_ATTESTATION_SIGNING_SEED_HEX=" + "b2".repeat(32),
                        "PRISM_LEDGER_WRITER_PUBLIC_KEY_HEX=" + "00".repeat(32)),
                broken("S4", false, "PRISM_LEDGER_WRITER_SESSION_TOKEN=fixed"),
                broken(
                        "S5",
                        false,
                        "PRISM_MANIFEST_SIGNING_SEED_HEX=" + "b2".repeat(32),
                        "PRISM_LEDGER_ATTESTATION_SIGNING_SEED_HEX=" + "b2".repeat(32)),
                broken("D1", false),
                broken("D2", false, "PRISM_POSTGRES_NATIVE_CLIENT=on"),
                broken(
                        "D3",
                        false,
                        "PRISM_DATABASE_URL=postgresql://h/d",
                        "PRISM_POSTGRES_PSQL_COMMAND=psql postgresql://other/d"),
                broken("L1", false, "PRISM_LEDGER_LEASE_TTL_SECONDS=15"),
                broken("L2", false, "PRISM_WRITER_QUIESCENCE_TIMEOUT_SECONDS=61"),
                broken("L4", false, "PRISM_POSTGRES_IDLE_IN_TRANSACTION_TIMEOUT_SECONDS=600"),
                broken("P1", true, "PRISM_ALLOW_MEMORY_LEDGER=1"),
                broken("P2", true, "QBIT_CHAIN=main", "QBIT_EXPECTED_GENESIS_HASH=" + "0a".repeat(32)),
                broken("P3", true),
                broken("P5", true, "PRISM_STRATUM_SHARE_DIFF=1e-9"),
                broken("P6", true, "PRISM_STRATUM_VARDIFF_MIN_DIFF=9", "PRISM_STRATUM_VARDIFF_START_DIFF=8"),
                broken("P7", true),
                broken("P8", true, "PRISM_DATABASE_URL=postgresql://u:change-this@h/d"),
                broken("P9", true),
                broken("P10", true, "PRISM_LEDGER_WRITER_SESSION_TOKEN=fixed"),
                broken("P11", true, "PRISM_STRATUM_MAX_CONNECTIONS=0"),
                broken("P17", true, "PRISM_MANIFEST_SIGNING_SEED_HEX=" + "42".repeat(32)));
    }

    private static Arguments broken(String rule, boolean production, String... settings) {
        return Arguments.of(rule, production, List.of(settings));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rulesOfTheCoordinator")
    void aRuleOfKeysLedgerLeaseOrMinersDoesNotApply(String rule, boolean production, List<String> settings) {
        Map<String, String> environment = with(minimal(), settings.toArray(String[]::new));
        if (production) {
            environment.put("QBIT_PRODUCTION", "1");
            environment.putIfAbsent("QBIT_CHAIN", "signet");
        }

        assertThat(rules(PrismConfiguration.loader().load(environment))).contains(rule);
        assertThat(asPublic(environment).findings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PRISM_STRATUM_MAX_CONNECTIONS=many",
                "PRISM_DATABASE_URL=nonsense",
                "PRISM_MANIFEST_SIGNING_SEED_HEX=zz",
                "PRISM_LEDGER_LEASE_TTL_SECONDS=-1",
                "PRISM_TIP_REFRESH_MAX_WORKERS=99",
                "PRISM_POOL_FEE_BPS=5"
            })
    void whatTheRoleDoesNotUseIsNeitherReadNorReported(String setting) {
        assertThat(PrismConfiguration.loader()
                        .load(with(Baselines.lab(), setting))
                        .ok())
                .isFalse();
        assertThat(asPublic(with(minimal(), setting)).findings()).isEmpty();
    }

    @Test
    void unknownNamesAreStillReported() {
        ConfigReport report = asPublic(with(minimal(), "PRISM_PUBLIC_POOL_NAMES=x"));

        assertThat(report.ok()).isTrue();
        assertThat(report.render()).contains("PRISM_PUBLIC_POOL_NAMES", "did you mean PRISM_PUBLIC_POOL_NAME?");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "K1|QBIT_RPC_USER=a:b",
                "K1|PRISM_QBIT_RPC_COOKIE_FILE=/cookie",
                "P12|QBIT_PRODUCTION=1|QBIT_CHAIN=signet|QBIT_RPC_PASSWORD=change-this",
                "P18|QBIT_PRODUCTION=1",
                "P19|QBIT_CHAIN=main",
                "H6|PRISM_AUDIT_BIND=127.0.0.1|PRISM_AUDIT_PORT=3342",
                "H6|PRISM_AUDIT_BIND=0.0.0.0|PRISM_AUDIT_PORT=4000|PRISM_PUBLIC_API_PORT=4000",
                "range|PRISM_PUBLIC_API_PORT=70000",
                "parse|PRISM_PUBLIC_REPLICA_MODE=maybe",
                "range|PRISM_PUBLIC_READINESS_PROBE_INTERVAL_SECONDS=0",
                "range|PRISM_PUBLIC_REPLICA_MAX_LAG_SECONDS=0"
            })
    void whatTheRoleUsesIsChecked(String ruleAndSettings) {
        String[] parts = ruleAndSettings.split("\\|");
        ConfigReport report = asPublic(with(minimal(), Arrays.copyOfRange(parts, 1, parts.length)));

        assertThat(report.errors())
                .isNotEmpty()
                .allSatisfy(f -> assertThat(f.rule()).isEqualTo(parts[0]));
    }

    @Test
    void anHttpPortMayBeTheAdvertisedStratumPortOfAnotherMachine() {
        ConfigReport report = asPublic(with(
                minimal(), "PRISM_PUBLIC_API_BIND=0.0.0.0", "PRISM_PUBLIC_API_PORT=3340", "PRISM_STRATUM_PORT=3340"));

        assertThat(report.findings()).isEmpty();
    }

    @Test
    void neitherRulesNorPrintedSettingsMentionAKeyOrTheLease() {
        String seed = "5e".repeat(32);
        Map<String, String> environment =
                with(minimal(), "PRISM_MANIFEST_SIGNING_SEED_HEX=" + seed, "PRISM_LEDGER_WRITER_SESSION_TOKEN=" + seed);
        ConfigLoader loader = PrismConfiguration.loader(ProcessRole.PUBLIC);

        String printed = new ConfigPrinter(loader.registry())
                .print(loader.load(environment).environment(), false);

        assertThat(printed).doesNotContain("SEED", "WRITER", "LEASE", "PRISM_DATABASE_URL");
        assertThat(loader.rules().stream().map(Rule::id))
                .contains("K1", "H6", "P12", "P18", "P19")
                .doesNotContain("S1", "D1", "L1", "P1", "P9", "P17", "R1", "W1", "F1", "C9");
    }

    @Test
    void theExplanationOfARequiredNameSaysSoAndStillNamesItsRules() {
        ConfigLoader loader = PrismConfiguration.loader(ProcessRole.PUBLIC);
        ConfigExplainer explainer = new ConfigExplainer(loader);
        Environment e = loader.load(minimal()).environment();

        assertThat(explainer.explain("PRISM_PUBLIC_STRATUM_URL", e).orElseThrow())
                .contains("required");
        assertThat(explainer.explain("PRISM_PUBLIC_API_BIND", e).orElseThrow()).contains("127.0.0.1", "rule H6");
    }

    @ParameterizedTest
    @EnumSource(names = {"ALL", "COORDINATOR"})
    void bothCoordinatorRolesHaveEveryVariableAndRule(ProcessRole role) {
        ConfigLoader all = PrismConfiguration.loader();
        ConfigLoader loader = PrismConfiguration.loader(role);

        assertThat(loader.registry().variables().stream().map(Variable::name))
                .isEqualTo(
                        all.registry().variables().stream().map(Variable::name).toList());
        assertThat(loader.rules().stream().map(Rule::id))
                .isEqualTo(all.rules().stream().map(Rule::id).toList());
    }
}
