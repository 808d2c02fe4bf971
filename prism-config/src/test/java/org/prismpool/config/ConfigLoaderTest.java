package org.prismpool.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.config.Baselines.lab;
import static org.prismpool.config.Baselines.load;
import static org.prismpool.config.Baselines.production;
import static org.prismpool.config.Baselines.with;
import static org.prismpool.config.Baselines.without;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.prismpool.config.rule.LedgerRules;
import org.prismpool.config.variable.BundleVariables;
import org.prismpool.config.variable.DeliveryVariables;
import org.prismpool.config.variable.DifficultyVariables;
import org.prismpool.config.variable.HttpVariables;
import org.prismpool.config.variable.LedgerVariables;
import org.prismpool.config.variable.LifecycleVariables;
import org.prismpool.config.variable.NodeVariables;
import org.prismpool.config.variable.PayoutVariables;
import org.prismpool.config.variable.PublicApiVariables;
import org.prismpool.config.variable.RefreshVariables;
import org.prismpool.config.variable.ShareWriterVariables;
import org.prismpool.config.variable.StratumVariables;

class ConfigLoaderTest {

    private static void assertOk(Map<String, String> environment) {
        assertThat(load(environment).errors())
                .as("errors of %s", environment.keySet())
                .isEmpty();
    }

    /** The report has an error of this rule that names this variable. */
    private static void assertError(Map<String, String> environment, String rule, String variable) {
        assertThat(load(environment).errors()).anySatisfy(f -> {
            assertThat(f.rule()).isEqualTo(rule);
            assertThat(f.variables()).contains(variable);
            assertThat(f.render()).contains(variable);
        });
    }

    private static void assertErrorNaming(Map<String, String> environment, String variable) {
        assertThat(load(environment).errors())
                .anySatisfy(f -> assertThat(f.variables()).contains(variable));
    }

    private static void assertWarning(Map<String, String> environment, Finding.Code code, String variable) {
        assertOk(environment);
        assertThat(load(environment).warnings()).anySatisfy(f -> {
            assertThat(f.code()).isEqualTo(code);
            assertThat(f.variables()).contains(variable);
        });
    }

    @Test
    void theLabBaselineHasTheDocumentedDefaults() {
        ConfigReport report = load(lab());
        Environment e = report.environment();

        assertThat(report.errors()).isEmpty();
        assertThat(e.get(NodeVariables.QBIT_RPC_PORT)).isEqualTo(18452);
        assertThat(e.get(StratumVariables.STRATUM_BIND)).isEqualTo("127.0.0.1");
        assertThat(e.get(StratumVariables.STRATUM_PORT)).isEqualTo(3340);
        assertThat(e.find(DifficultyVariables.STRATUM_HIGHDIFF_PORT)).isEmpty();
        assertThat(e.get(DifficultyVariables.STRATUM_VARDIFF_MIN_DIFF)).isEqualByComparingTo("1e-9");
        assertThat(e.get(DifficultyVariables.STRATUM_VARDIFF_START_DIFF)).isEqualByComparingTo("1e-9");
        assertThat(e.get(DifficultyVariables.STRATUM_VARDIFF_MAX_DIFF)).isEqualByComparingTo("1024");
        assertThat(e.get(BundleVariables.COINBASE_TAG)).isEqualTo("2f505249534d2f");
        assertThat(e.get(RefreshVariables.TEMPLATE_CACHE_SECONDS)).isEqualTo(Duration.ofSeconds(2));
        assertThat(e.get(ShareWriterVariables.SHARE_RECOVERY_PATH)).isEqualTo("./prism-unpersisted-shares.jsonl");
        assertThat(e.get(HttpVariables.AUDIT_DIR)).isEqualTo(".");
        assertThat(e.get(ShareWriterVariables.SHARE_COMMIT_LINGER_MILLISECONDS)).isEqualTo(Duration.ofMillis(5));
        assertThat(e.get(DeliveryVariables.INITIAL_JOB_MAX_WORKERS)).isEqualTo(4);
        assertThat(e.find(HttpVariables.AUDIT_BIND)).isEmpty();
        assertThat(e.get(LifecycleVariables.MAX_BLOCKS)).isEqualTo(1);
        assertThat(e.get(LifecycleVariables.STOP_AFTER_BLOCK)).isTrue();
        assertThat(e.get(PayoutVariables.PAYOUT_P2MR_SPEND_INPUT_BYTES)).isEqualTo(3680);
        assertThat(e.get(PayoutVariables.PAYOUT_TARGET_FEERATE_BITS_PER_BYTE)).isEqualTo(1);
        assertThat(e.get(PayoutVariables.PAYOUT_SAFETY_MULTIPLIER)).isEqualTo(4);
        assertThat(e.find(PayoutVariables.PAYOUT_MIN_OUTPUT_BITS)).isEmpty();
        assertThat(e.get(PayoutVariables.COINBASE_OUTPUT_POLICY)).isEqualTo("canonical");
    }

    @Test
    void anEmptyEnvironmentReportsEveryMissingNameAtOnce() {
        ConfigReport report = load(Map.of());

        for (String name : new String[] {
            "QBIT_RPC_HOST",
            "QBIT_RPC_USER",
            "QBIT_RPC_PASSWORD",
            "PRISM_MANIFEST_SIGNING_SEED_HEX",
            "PRISM_LEDGER_ATTESTATION_SIGNING_SEED_HEX",
            "PRISM_LEDGER_WRITER_PUBLIC_KEY_HEX",
            "PRISM_DATABASE_URL"
        }) {
            assertThat(report.errors())
                    .anySatisfy(f -> assertThat(f.variables()).contains(name));
        }
    }

    @Test
    void theProductionBaselineIsAccepted() {
        assertOk(production());
        assertThat(load(production()).warnings())
                .allSatisfy(f -> assertThat(f.rule()).isEqualTo("P20"));
    }

    @Test
    void eachRequiredProductionNameIsNamedWhenMissing() {
        for (String name : production().keySet()) {
            if (!name.equals("QBIT_PRODUCTION") && !name.equals("QBIT_CHAIN")) {
                assertErrorNaming(without(production(), name), name);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PRISM_ALLOW_MEMORY_LEDGER",
                "PRISM_ALLOW_TEST_SIGNING_SEEDS",
                "PRISM_ALLOW_BUNDLE_EMBEDDED_LEDGER_KEY",
                "PRISM_ALLOW_FIXED_LEDGER_SESSION_TOKEN"
            })
    void productionRejectsEachTestSwitch(String name) {
        assertError(with(production(), name + "=1"), "P1", name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e-9", "0.0000000010", "NaN", "sNaN", "x", "0", "-1", ""})
    void productionRejectsABadShareDifficulty(String text) {
        assertErrorNaming(with(production(), "PRISM_STRATUM_SHARE_DIFF=" + text), "PRISM_STRATUM_SHARE_DIFF");
    }

    @Test
    void productionAcceptsTwiceTheLabDifficulty() {
        assertOk(with(production(), "PRISM_STRATUM_SHARE_DIFF=0.000000002"));
    }

    @Test
    void productionRejectsAStartDifficultyOutsideTheRange() {
        assertError(with(production(), "PRISM_STRATUM_VARDIFF_MIN_DIFF=5000"), "P6", "PRISM_STRATUM_VARDIFF_MIN_DIFF");
        assertError(
                with(production(), "PRISM_STRATUM_VARDIFF_START_DIFF=70000"), "P6", "PRISM_STRATUM_VARDIFF_START_DIFF");
    }

    @Test
    void mainnetNeedsZeroStaleGraceAndAGenesisHash() {
        Map<String, String> mainnet = with(without(production(), "QBIT_PRODUCTION"), "QBIT_CHAIN=MAINNET");

        assertError(mainnet, "P2", "PRISM_STRATUM_STALE_GRACE_SECONDS");
        assertError(mainnet, "P19", "QBIT_EXPECTED_GENESIS_HASH");
        for (String zero : new String[] {"0", "0.0"}) {
            assertOk(with(
                    mainnet,
                    "PRISM_STRATUM_STALE_GRACE_SECONDS=" + zero,
                    "QBIT_EXPECTED_GENESIS_HASH=" + "0".repeat(64)));
        }
    }

    @Test
    void mainnetWithCtvNeedsTheMarketRateUnderItsExactName() {
        Map<String, String> mainnet = with(
                production(),
                "QBIT_CHAIN=main",
                "PRISM_STRATUM_STALE_GRACE_SECONDS=0",
                "PRISM_CTV_SETTLEMENT_ENABLED=1",
                "QBIT_EXPECTED_GENESIS_HASH=" + "0".repeat(64));
        String name = "PRISM_CTV_FANOUT_FEE_MARKET_RATE_BITS_PER_1000_WEIGHT";

        assertError(mainnet, "P13", name);
        assertError(with(mainnet, "PRISM_CTV_FANOUT_FEE_MARKET_RATE_SATS_PER_1000_WEIGHT=5"), "P13", name);
        assertErrorNaming(with(mainnet, name + "=0"), name);
        assertOk(with(mainnet, name + "=25"));
    }

    @ParameterizedTest
    @CsvSource({
        "PRISM_STRATUM_SEND_TIMEOUT_SECONDS=0,P16",
        "PRISM_STRATUM_MAX_CONNECTIONS=0,P11",
        "PRISM_STRATUM_INITIAL_JOB_TIMEOUT_SECONDS=0,P11",
        "PRISM_TEMPLATE_REFRESH_FAILURE_EXIT_SECONDS=0,P15",
        "PRISM_STRATUM_MAX_PENDING_INITIAL_JOBS=0,range",
        "QBIT_RPC_PASSWORD=change-this,P12",
        "QBIT_CHAIN=regtest,P18",
        "PRISM_POSTGRES_PASSWORD=change-this,P8",
        "PRISM_DATABASE_URL=postgresql://u:change-this@h/d,P8"
    })
    void productionRejectsOneSetting(String setting, String rule) {
        assertError(with(production(), setting), rule, setting.substring(0, setting.indexOf('=')));
    }

    @Test
    void productionRejectsAFixedSessionTokenWithoutPrintingIt() {
        ConfigReport report = load(with(production(), "PRISM_LEDGER_WRITER_SESSION_TOKEN=tok-secret-7"));

        assertThat(report.errors()).anySatisfy(f -> assertThat(f.rule()).isEqualTo("P10"));
        assertThat(report.render()).doesNotContain("tok-secret-7");
    }

    @Test
    void productionRejectsPublicTestSeedsEvenWhenGiven() {
        assertError(
                with(production(), "PRISM_MANIFEST_SIGNING_SEED_HEX=" + "42".repeat(32)),
                "P17",
                "PRISM_MANIFEST_SIGNING_SEED_HEX");
    }

    @Test
    void aDefaultPasswordInsideAPsqlCommandIsRejectedAndNotPrinted() {
        Map<String, String> environment = with(
                without(production(), "PRISM_DATABASE_URL"),
                "PRISM_POSTGRES_PSQL_COMMAND=psql -d postgresql://u:change-this@h/d");

        assertError(environment, "P8", "PRISM_POSTGRES_PSQL_COMMAND");
        assertThat(load(environment).render()).doesNotContain("change-this");
    }

    @Test
    void aForeignTrustedKeyIsAnErrorInProductionAndAWarningInTheLab() {
        String key = "PRISM_LEDGER_WRITER_PUBLIC_KEY_HEX=" + "11".repeat(32);

        assertError(with(production(), key), "S3", "PRISM_LEDGER_WRITER_PUBLIC_KEY_HEX");
        assertWarning(with(lab(), key), Finding.Code.RULE, "PRISM_LEDGER_WRITER_PUBLIC_KEY_HEX");
    }

    @Test
    void pendingFirstJobsMustFitTheConnectionLimit() {
        assertError(with(lab(), "PRISM_STRATUM_MAX_CONNECTIONS=100"), "R1", "PRISM_STRATUM_MAX_PENDING_INITIAL_JOBS");
        assertOk(with(lab(), "PRISM_STRATUM_MAX_CONNECTIONS=100", "PRISM_STRATUM_MAX_PENDING_INITIAL_JOBS=100"));
        assertOk(with(lab(), "PRISM_STRATUM_MAX_CONNECTIONS=0"));
    }

    @Test
    void implicitFirstJobWorkersFollowTheBoundAndExplicitOnesAreChecked() {
        assertErrorNaming(with(lab(), "PRISM_INITIAL_JOB_MAX_WORKERS=0"), "PRISM_INITIAL_JOB_MAX_WORKERS");
        assertError(with(lab(), "PRISM_INITIAL_JOB_MAX_WORKERS=129"), "R2", "PRISM_INITIAL_JOB_MAX_WORKERS");
        assertError(
                with(lab(), "PRISM_STRATUM_MAX_PENDING_INITIAL_JOBS=2", "PRISM_INITIAL_JOB_MAX_WORKERS=3"),
                "R2",
                "PRISM_INITIAL_JOB_MAX_WORKERS");
        assertThat(load(with(lab(), "PRISM_STRATUM_MAX_PENDING_INITIAL_JOBS=2"))
                        .environment()
                        .get(DeliveryVariables.INITIAL_JOB_MAX_WORKERS))
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PRISM_JOB_BUILD_EXECUTOR_WORKERS=0",
                "PRISM_JOB_BUILD_EXECUTOR_WORKERS=3",
                "PRISM_TIP_REFRESH_MAX_WORKERS=17",
                "PRISM_STRATUM_PORT=abc",
                "PRISM_AUDIT_PORT=x",
                "PRISM_MIN_READY_MINERS=x",
                "QBIT_RPC_PORT=0",
                "QBIT_RPC_PORT=-1",
                "PRISM_STRATUM_PORT=65536",
                "QBIT_PRODUCTION=maybe",
                "PRISM_STRATUM_VARDIFF_EWMA_ALPHA=1.5",
                "PRISM_STRATUM_VARDIFF_MAX_STEP_UP=0.5",
                "PRISM_STRATUM_VARDIFF_RETARGET_TOLERANCE=0",
                "PRISM_STRATUM_EXTRANONCE2_SIZE=3",
                "PRISM_STRATUM_EXTRANONCE2_SIZE=9",
                "PRISM_TEMPLATE_MAX_AGE_SECONDS=2.5",
                "PRISM_BLOCKPOLL_SECONDS=5s",
                "PRISM_BLOCKPOLL_SECONDS=-0",
                "PRISM_MANIFEST_SIGNING_SEED_HEX=zz",
                "PRISM_MANIFEST_SIGNING_SEED_HEX=42",
                "PRISM_POSTGRES_NATIVE_CLIENT=psql",
                "PRISM_COINBASE_OUTPUT_POLICY=Canonical",
                "QBIT_CHAIN=moonnet",
                "PRISM_STRATUM_LISTEN_BACKLOG=0x8",
                "PRISM_STRATUM_LISTEN_BACKLOG=8_0",
                "PRISM_STRATUM_SHARE_WEIGHTS_JSON={\"a\":1.9}",
                "PRISM_STRATUM_SHARE_WEIGHTS_JSON={\"a\":null}",
                "PRISM_STRATUM_SHARE_WEIGHTS_JSON={\"a\":1,\"a\":2}",
                "PRISM_STRATUM_SHARE_WEIGHTS_JSON=[1]"
            })
    void aBadValueIsAnErrorWithItsName(String setting) {
        assertErrorNaming(with(lab(), setting), setting.substring(0, setting.indexOf('=')));
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "sNaN", "Infinity", "-infinity", "1e400"})
    void aNonFiniteDecimalSaysSo(String text) {
        ConfigReport report = load(with(lab(), "PRISM_BLOCKPOLL_SECONDS=" + text));

        assertThat(report.errors()).anySatisfy(f -> assertThat(f.code()).isEqualTo(Finding.Code.NON_FINITE));
    }

    @Test
    void aHugeExponentIsRefusedWithoutExpandingIt() {
        assertErrorNaming(with(lab(), "PRISM_STRATUM_SHARE_DIFF=1e999999999"), "PRISM_STRATUM_SHARE_DIFF");
        assertErrorNaming(with(lab(), "PRISM_STRATUM_SHARE_DIFF=1e99999999999999999999"), "PRISM_STRATUM_SHARE_DIFF");
    }

    @Test
    void oneBooleanParserServesEveryVariable() {
        Environment e = load(with(
                        lab(),
                        "PRISM_POSTGRES_INIT_SCHEMA=on",
                        "PRISM_STOP_AFTER_BLOCK=TRUE",
                        "PRISM_BLOCKWAIT_ENABLED= 0"))
                .environment();

        assertThat(e.get(LedgerVariables.POSTGRES_INIT_SCHEMA)).isTrue();
        assertThat(e.get(LifecycleVariables.STOP_AFTER_BLOCK)).isTrue();
        assertThat(e.get(RefreshVariables.BLOCKWAIT_ENABLED)).isFalse();
    }

    @Test
    void retentionNeedsRoomForAJob() {
        String zero = "PRISM_STRATUM_SAME_TIP_JOB_RETENTION_PER_CONNECTION=0";
        assertError(with(lab(), zero), "R5", "PRISM_STRATUM_SAME_TIP_JOB_RETENTION_PER_CONNECTION");
        assertOk(with(lab(), zero, "PRISM_STRATUM_SAME_TIP_JOB_RETENTION_SECONDS=0"));
    }

    @Test
    void theAnchorAgeMustExceedTwiceTheLongerInterval() {
        String name = "PRISM_PAYOUT_ARTIFACT_MAX_ANCHOR_AGE_SECONDS";
        assertError(with(lab(), name + "=120"), "R6", name);
        assertOk(with(lab(), name + "=120.001"));
        assertError(with(lab(), "PRISM_PAYOUT_ARTIFACT_REANCHOR_SECONDS=200"), "R6", name);
        assertOk(with(lab(), "PRISM_PAYOUT_ARTIFACT_REANCHOR_SECONDS=90"));
    }

    @Test
    void theHighDiffListenerHasItsOwnRules() {
        String port = "PRISM_STRATUM_HIGHDIFF_PORT=";
        for (String bad : new String[] {"3340", "0", "70000", "x"}) {
            assertErrorNaming(with(lab(), port + bad), "PRISM_STRATUM_HIGHDIFF_PORT");
        }
        Map<String, String> on = with(lab(), port + "4334");
        assertThat(load(on).environment().get(DifficultyVariables.STRATUM_HIGHDIFF_SHARE_DIFF))
                .isEqualByComparingTo("500000");
        assertThat(load(on).environment().get(DifficultyVariables.STRATUM_HIGHDIFF_BIND))
                .isEqualTo("127.0.0.1");
        for (String bad :
                new String[] {"MIN_DIFF=600000", "START_DIFF=5e9", "SHARE_DIFF=1", "SHARE_DIFF=5e9", "SHARE_DIFF=nan"
                }) {
            String setting = "PRISM_STRATUM_HIGHDIFF_" + bad;
            assertErrorNaming(with(on, setting), setting.substring(0, setting.indexOf('=')));
        }
        assertWarning(
                with(lab(), "PRISM_STRATUM_HIGHDIFF_MIN_DIFF=abc"),
                Finding.Code.IGNORED_VALUE,
                "PRISM_STRATUM_HIGHDIFF_MIN_DIFF");
    }

    @Test
    void aWildcardBindOverlapsEveryBindOfThatPort() {
        assertError(
                with(lab(), "PRISM_STRATUM_HIGHDIFF_PORT=3340", "PRISM_STRATUM_HIGHDIFF_BIND=0.0.0.0"),
                "H4",
                "PRISM_STRATUM_HIGHDIFF_PORT");
        assertError(with(lab(), "PRISM_AUDIT_BIND=127.0.0.1", "PRISM_AUDIT_PORT=3340"), "H6", "PRISM_AUDIT_PORT");
    }

    @Test
    void aPayingBroadcasterNeedsAWallet() {
        Map<String, String> paying = with(lab(), "PRISM_CTV_SETTLEMENT_ENABLED=1", "PRISM_CTV_BROADCASTER_FEE_BITS=5");
        assertError(paying, "R8", "PRISM_CTV_BROADCASTER_WALLET");
        assertOk(with(paying, "PRISM_CTV_BROADCASTER_WALLET=w"));
        assertOk(with(paying, "PRISM_CTV_BROADCASTER_ENABLED=0"));
    }

    @Test
    void anEmptyVardiffRangeNamesTheDefaultedMaximum() {
        ConfigReport report = load(with(lab(), "PRISM_STRATUM_VARDIFF_MIN_DIFF=2048"));

        assertThat(report.errors()).anySatisfy(f -> {
            assertThat(f.rule()).isEqualTo("V1");
            assertThat(f.render()).contains("2048", "PRISM_STRATUM_VARDIFF_MAX_DIFF (default 1024)");
        });
        assertError(with(lab(), "PRISM_STRATUM_SHARE_DIFF=5000"), "V1", "PRISM_STRATUM_VARDIFF_MAX_DIFF");
    }

    @Test
    void permissionsAreNeededForTestStandIns() {
        assertError(with(lab(), "PRISM_LEDGER_WRITER_SESSION_TOKEN=t"), "S4", "PRISM_LEDGER_WRITER_SESSION_TOKEN");
        assertError(
                without(lab(), "PRISM_ALLOW_BUNDLE_EMBEDDED_LEDGER_KEY"), "S2", "PRISM_LEDGER_WRITER_PUBLIC_KEY_HEX");
        assertError(without(lab(), "PRISM_ALLOW_MEMORY_LEDGER"), "D1", "PRISM_DATABASE_URL");
        assertError(without(lab(), "PRISM_ALLOW_TEST_SIGNING_SEEDS"), "S1", "PRISM_MANIFEST_SIGNING_SEED_HEX");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PRISM_QBIT_RPC_TIMEOUT_SECONDS", "PRISM_POSTGRES_OPERATION_TIMEOUT_SECONDS",
                        "PRISM_TIP_REFRESH_TIMEOUT_SECONDS",
                "PRISM_TIP_REFRESH_LOCK_TIMEOUT_SECONDS", "PRISM_CLIENT_JOB_LOCK_TIMEOUT_SECONDS",
                        "PRISM_BUNDLE_BUILD_TIMEOUT_SECONDS",
                "PRISM_STRATUM_SEND_TIMEOUT_SECONDS", "PRISM_WRITER_QUIESCENCE_TIMEOUT_SECONDS",
                        "PRISM_WATCHDOG_LEASE_RELEASE_TIMEOUT_SECONDS"
            })
    void eachWatchedBoundMustBeBelowTheWatchdogOnlyWhileItIsOn(String name) {
        // A time to live above the authority margin keeps rule L1 out of the picture.
        Map<String, String> equal = with(lab(), name + "=120", "PRISM_LEDGER_LEASE_TTL_SECONDS=600");
        assertError(equal, "W1", name);
        Map<String, String> off = with(equal, "PRISM_WATCHDOG_ENABLED=0");
        assertOk(name.contains("BUNDLE_BUILD") ? with(off, "PRISM_TIP_REFRESH_TIMEOUT_SECONDS=125") : off);
    }

    @Test
    void severalMistakesGiveOneReport() {
        ConfigReport report = load(with(
                lab(),
                "PRISM_TIP_REFRESH_TIMEOUT_SECONDS=120",
                "PRISM_STRATUM_SEND_TIMEOUT_SECONDS=130",
                "QBIT_RPC_PORT=abc"));

        assertThat(report.errors()).extracting(Finding::rule).contains("W1", "parse");
        assertThat(report.errors()).filteredOn(f -> f.rule().equals("W1")).hasSize(2);
    }

    @Test
    void aBundleBuildMustFitIntoARefreshWhateverTheWatchdogSays() {
        String refresh = "PRISM_TIP_REFRESH_TIMEOUT_SECONDS=";
        assertError(with(lab(), refresh + "64"), "W2", "PRISM_BUNDLE_BUILD_TIMEOUT_SECONDS");
        assertError(
                with(lab(), refresh + "64", "PRISM_WATCHDOG_ENABLED=0"), "W2", "PRISM_BUNDLE_BUILD_TIMEOUT_SECONDS");
        assertOk(with(lab(), refresh + "64.001"));
    }

    @ParameterizedTest
    @CsvSource({"15,1,", "15.001,1,15000", "60,40,45000", "60,55,", "60,1,30000"})
    void theLeaseMustOutliveItsAuthorityMargin(String ttl, String submit, Long marginMillis) {
        Map<String, String> environment = with(
                lab(), "PRISM_LEDGER_LEASE_TTL_SECONDS=" + ttl, "PRISM_BLOCK_SUBMIT_RPC_TIMEOUT_SECONDS=" + submit);
        if (marginMillis == null) {
            assertError(environment, "L1", "PRISM_LEDGER_LEASE_TTL_SECONDS");
        } else {
            assertOk(environment);
            assertThat(LedgerRules.effectiveAuthorityMargin(load(environment).environment()))
                    .isEqualTo(Duration.ofMillis(marginMillis));
        }
    }

    @ParameterizedTest
    @CsvSource({"1fffe000,1fffe000", "0x1FFFE000,1fffe000", "' 1f ',1f", "0,0"})
    void masksAreHex(String text, String expected) {
        Environment e = load(with(lab(), "PRISM_VERSION_ROLLING_MASK=" + text)).environment();
        assertThat(Integer.toHexString(e.get(DifficultyVariables.VERSION_ROLLING_MASK)))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "zz", "123456789"})
    void badMasksAreRefused(String text) {
        assertErrorNaming(with(lab(), "PRISM_VERSION_ROLLING_MASK=" + text), "PRISM_VERSION_ROLLING_MASK");
    }

    @Test
    void anEmptyCoinbaseTagIsNoTagAndALongOrForeignOneIsRefused() {
        assertThat(load(with(lab(), "PRISM_COINBASE_TAG=")).environment().get(BundleVariables.COINBASE_TAG))
                .isEmpty();
        assertOk(with(lab(), "PRISM_COINBASE_TAG=" + "P".repeat(40)));
        for (String bad : new String[] {"P".repeat(41), "a\n", "é"}) {
            assertErrorNaming(with(lab(), "PRISM_COINBASE_TAG=" + bad), "PRISM_COINBASE_TAG");
        }
    }

    @Test
    void aPrimaryNameWinsOverItsLegacyAlias() {
        String bits = "PRISM_PAYOUT_MIN_OUTPUT_BITS=";
        Map<String, String> both = with(lab(), bits + "11000", "PRISM_PAYOUT_MIN_OUTPUT_SATS=10000");
        assertThat(load(both).environment().get(PayoutVariables.PAYOUT_MIN_OUTPUT_BITS))
                .isEqualTo(11000);
        assertWarning(both, Finding.Code.ALIAS_CONFLICT, "PRISM_PAYOUT_MIN_OUTPUT_BITS");
        Environment alias =
                load(with(lab(), "PRISM_PAYOUT_MIN_OUTPUT_SATS=10000")).environment();
        assertThat(alias.get(PayoutVariables.PAYOUT_MIN_OUTPUT_BITS)).isEqualTo(10000);
        assertThat(alias.origin(PayoutVariables.PAYOUT_MIN_OUTPUT_BITS)).isEqualTo(Environment.Origin.ALIAS);
        assertErrorNaming(
                with(lab(), bits + "not-int", "PRISM_PAYOUT_MIN_OUTPUT_SATS=10000"), "PRISM_PAYOUT_MIN_OUTPUT_BITS");
    }

    @Test
    void poolFeeRulesNameTheirVariables() {
        assertError(with(lab(), "PRISM_POOL_FEE_BPS=125"), "F1", "PRISM_POOL_FEE_BPS");
        Map<String, String> on = with(lab(), "PRISM_POOL_FEE_ENABLED=1", "PRISM_POOL_FEE_ADDRESS=a");
        assertError(on, "F2", "PRISM_POOL_FEE_BPS");
        assertErrorNaming(with(on, "PRISM_POOL_FEE_BPS=10001"), "PRISM_POOL_FEE_BPS");
        assertError(
                with(on, "PRISM_POOL_FEE_BPS=1", "PRISM_POOL_FEE_P2MR_PROGRAM_HEX=" + "aa".repeat(32)),
                "F3",
                "PRISM_POOL_FEE_ADDRESS");
        assertError(
                with(
                        lab(),
                        "PRISM_POOL_FEE_ENABLED=1",
                        "PRISM_POOL_FEE_BPS=1",
                        "PRISM_POOL_FEE_P2MR_PROGRAM_HEX=" + "aa".repeat(32)),
                "F4",
                "PRISM_POOL_FEE_RECIPIENT_ID");
        assertOk(with(on, "PRISM_POOL_FEE_BPS=0"));
        assertError(with(lab(), "PRISM_COINBASE_OUTPUT_POLICY=pool-fee-first"), "F5", "PRISM_COINBASE_OUTPUT_POLICY");
    }

    @Test
    void ctvLimitsAreCheckedAtLoadWhileCtvIsOn() {
        Map<String, String> on = with(lab(), "PRISM_CTV_SETTLEMENT_ENABLED=1");
        assertError(
                with(on, "PRISM_MAX_CTV_FANOUT_RECIPIENTS_PER_TRANSACTION=1161"),
                "C1",
                "PRISM_MAX_CTV_FANOUT_RECIPIENTS_PER_TRANSACTION");
        assertError(
                with(on, "PRISM_MAX_COINBASE_SETTLEMENT_OUTPUTS=501"), "C1", "PRISM_MAX_COINBASE_SETTLEMENT_OUTPUTS");
        assertError(with(on, "PRISM_RESERVED_COINBASE_OUTPUTS=17"), "C1", "PRISM_RESERVED_COINBASE_OUTPUTS");
        assertOk(with(
                on,
                "PRISM_MAX_CTV_FANOUT_RECIPIENTS_PER_TRANSACTION=1160",
                "PRISM_MAX_COINBASE_SETTLEMENT_OUTPUTS=500"));
        assertOk(with(lab(), "PRISM_MAX_COINBASE_SETTLEMENT_OUTPUTS=501"));
        assertErrorNaming(with(lab(), "PRISM_CTV_SETTLEMENT_ENABLED="), "PRISM_CTV_SETTLEMENT_ENABLED");
    }

    @Test
    void aBadValueOfADisabledCtvIsAWarning() {
        assertWarning(
                with(lab(), "PRISM_MAX_COINBASE_SETTLEMENT_OUTPUTS=x"),
                Finding.Code.IGNORED_VALUE,
                "PRISM_MAX_COINBASE_SETTLEMENT_OUTPUTS");
        assertErrorNaming(
                with(lab(), "PRISM_CTV_SETTLEMENT_ENABLED=1", "PRISM_MAX_COINBASE_SETTLEMENT_OUTPUTS=x"),
                "PRISM_MAX_COINBASE_SETTLEMENT_OUTPUTS");
    }

    @Test
    void theFallbackAddressFollowsTheChain() {
        assertThat(load(with(lab(), "QBIT_CHAIN=testnet4"))
                        .environment()
                        .find(StratumVariables.USERNAME_FALLBACK_ADDRESS))
                .contains("tq1zlsq9dpxz8mennhdpr9nf9s0f2tjtq6gxs9m84k6xglhkfp92q2zszzu4m3");
        assertThat(load(lab()).environment().find(StratumVariables.USERNAME_FALLBACK_ADDRESS))
                .isEmpty();
        assertThat(load(with(lab(), "PRISM_USERNAME_FALLBACK_ADDRESS=mine"))
                        .environment()
                        .find(StratumVariables.USERNAME_FALLBACK_ADDRESS))
                .contains("mine");
    }

    @Test
    void derivedDefaultsFollowTheirSources() {
        Environment e = load(with(lab(), "PRISM_BLOCKPOLL_SECONDS=3", "PRISM_EVIDENCE_PATH=/var/x/e.json"))
                .environment();

        assertThat(e.get(RefreshVariables.TEMPLATE_CACHE_SECONDS)).isEqualTo(Duration.ofSeconds(3));
        assertThat(e.get(HttpVariables.AUDIT_DIR)).isEqualTo("/var/x");
        assertThat(e.get(ShareWriterVariables.SHARE_RECOVERY_PATH)).isEqualTo("/var/x/prism-unpersisted-shares.jsonl");
    }

    @Test
    void twoDifferentDatabasesAreAmbiguous() {
        assertError(
                with(production(), "PRISM_POSTGRES_PSQL_COMMAND=psql --dbname=postgresql://other/d"),
                "D3",
                "PRISM_DATABASE_URL");
    }

    @Test
    void theCookieFileExcludesUserAndPassword() {
        assertError(with(lab(), "PRISM_QBIT_RPC_COOKIE_FILE=/c"), "K1", "QBIT_RPC_USER");
        assertOk(with(without(without(lab(), "QBIT_RPC_USER"), "QBIT_RPC_PASSWORD"), "PRISM_QBIT_RPC_COOKIE_FILE=/c"));
    }

    @Test
    void publicApiValuesNeverStopThePool() {
        Map<String, String> environment = with(
                lab(),
                "PRISM_PUBLIC_CACHE_TTL_SECONDS=x",
                "PRISM_PUBLIC_POOL_FEE_BPS=20000",
                "PRISM_PUBLIC_CONFIGURATION_DESCRIPTION=");

        assertWarning(environment, Finding.Code.IGNORED_VALUE, "PRISM_PUBLIC_CACHE_TTL_SECONDS");
        Environment e = load(environment).environment();
        assertThat(e.get(PublicApiVariables.PUBLIC_CACHE_TTL_SECONDS)).isEqualTo(5);
        assertThat(e.get(PublicApiVariables.PUBLIC_POOL_FEE_BPS)).isEqualTo(10000);
        assertThat(e.get(PublicApiVariables.PUBLIC_CONFIGURATION_DESCRIPTION))
                .startsWith("Default PRISM Stratum endpoint");
    }

    @Test
    void unknownNamesAreWarnedAboutWithTheNearestKnownOne() {
        ConfigReport report = load(with(lab(), "PRISM_STRATUM_PROT=1", "HOME=/h"));

        assertThat(report.errors()).isEmpty();
        assertThat(report.warnings()).anySatisfy(f -> {
            assertThat(f.code()).isEqualTo(Finding.Code.UNKNOWN);
            assertThat(f.render()).contains("PRISM_STRATUM_PROT", "did you mean PRISM_STRATUM_PORT?");
        });
    }

    @Test
    void anEmptyTextIsAnErrorForMostNames() {
        ConfigReport report = load(with(lab(), "PRISM_STRATUM_PORT="));

        assertThat(report.errors()).singleElement().satisfies(f -> {
            assertThat(f.code()).isEqualTo(Finding.Code.EMPTY);
            assertThat(f.render()).contains("PRISM_STRATUM_PORT", "unset it to get its default");
        });
    }

    @Test
    void laterChangesOfTheGivenMapDoNotReachTheResult() {
        Map<String, String> environment = with(lab(), "PRISM_STRATUM_PORT=4000");
        Environment e = load(environment).environment();
        environment.put("PRISM_STRATUM_PORT", "5000");

        assertThat(e.get(StratumVariables.STRATUM_PORT)).isEqualTo(4000);
    }

    @Test
    void decimalsAreExact() {
        Environment e = load(with(lab(), "PRISM_STRATUM_VARDIFF_RETARGET_TOLERANCE=.25"))
                .environment();
        assertThat(e.get(DifficultyVariables.STRATUM_VARDIFF_RETARGET_TOLERANCE))
                .isEqualTo(new BigDecimal("0.25"));
    }

    @Test
    void withoutTheWatchdogLongTimeoutsLoad() {
        assertOk(with(
                lab(),
                "PRISM_WATCHDOG_ENABLED=0",
                "PRISM_TIP_REFRESH_TIMEOUT_SECONDS=500",
                "PRISM_BUNDLE_BUILD_TIMEOUT_SECONDS=200"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "sNaN", "Infinity", "abc", ""})
    void whatIsNoFiniteDecimalIsAFinding(String text) {
        ConfigReport report = load(with(lab(), "PRISM_STRATUM_VARDIFF_TARGET_SECONDS=" + text));

        assertThat(report.errors())
                .singleElement()
                .satisfies(f -> assertThat(f.variables()).containsExactly("PRISM_STRATUM_VARDIFF_TARGET_SECONDS"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "65536", "abc"})
    void aPortIsBetween1And65535(String text) {
        assertErrorNaming(with(lab(), "QBIT_RPC_PORT=" + text), "QBIT_RPC_PORT");
        assertErrorNaming(with(lab(), "PRISM_STRATUM_PORT=" + text), "PRISM_STRATUM_PORT");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PRISM_PAYOUT_P2MR_SPEND_INPUT_BYTES=x",
                "PRISM_PAYOUT_TARGET_FEERATE_BITS_PER_BYTE=0",
                "PRISM_PAYOUT_SAFETY_MULTIPLIER=1.5",
                "PRISM_PAYOUT_MIN_OUTPUT_BITS=-5",
                "PRISM_POOL_FEE_BPS=x",
                "PRISM_POOL_FEE_P2MR_PROGRAM_HEX=zz",
                "PRISM_MAX_DIRECT_COINBASE_OUTPUTS=501",
                "PRISM_CTV_FANOUT_FEE_PREMIUM_BPS=0",
                "PRISM_DIRECT_COINBASE_PAYOUT_FLOOR_BITS=x"
            })
    void aBadPayoutValueIsFoundAtLoadWhileItsFeatureIsOn(String setting) {
        Map<String, String> on = with(
                lab(),
                "PRISM_CTV_SETTLEMENT_ENABLED=1",
                "PRISM_POOL_FEE_ENABLED=1",
                "PRISM_POOL_FEE_BPS=1",
                "PRISM_POOL_FEE_P2MR_PROGRAM_HEX=" + "aa".repeat(32),
                "PRISM_POOL_FEE_RECIPIENT_ID=pool");

        assertOk(on);
        assertErrorNaming(with(on, setting), setting.substring(0, setting.indexOf('=')));
    }

    @Test
    void anEmptySettlementSwitchIsAnErrorWhateverTheBroadcasterSays() {
        assertErrorNaming(
                with(lab(), "PRISM_CTV_SETTLEMENT_ENABLED=", "PRISM_CTV_BROADCASTER_ENABLED=0"),
                "PRISM_CTV_SETTLEMENT_ENABLED");
    }

    @Test
    void productionRejectsEachPublicTestSeed() {
        String attestation = "PRISM_LEDGER_ATTESTATION_SIGNING_SEED_HEX";
        assertError(with(production(), attestation + "=" + "43".repeat(32)), "P17", attestation);
    }

    @Test
    void theBuildIntervalFollowsTheReanchorInterval() {
        Environment e =
                load(with(lab(), "PRISM_PAYOUT_ARTIFACT_REANCHOR_SECONDS=90")).environment();

        assertThat(e.get(PayoutVariables.PAYOUT_ARTIFACT_MIN_BUILD_INTERVAL_SECONDS))
                .isEqualTo(Duration.ofSeconds(90));
    }

    @Test
    void aSeedIsLowerCaseAndItsMistakesAreTold() {
        String name = "PRISM_MANIFEST_SIGNING_SEED_HEX";
        ConfigReport upper = load(with(lab(), name + "=" + "AB".repeat(32)));
        assertThat(upper.errors()).isEmpty();
        assertThat(upper.environment()
                        .get(LedgerVariables.MANIFEST_SIGNING_SEED_HEX)
                        .reveal())
                .isEqualTo("ab".repeat(32));
        for (String bad : new String[] {"zz", "42", "42 ".repeat(32)}) {
            ConfigReport report = load(with(lab(), name + "=" + bad));
            assertThat(report.errors()).singleElement().satisfies(f -> {
                assertThat(f.render()).contains(name + "=***").doesNotContain("=" + bad);
                assertThat(f.render()).contains("64 hex");
            });
        }
    }

    @Test
    void theLimitsOfSettlementAreInclusive() {
        assertOk(with(
                lab(),
                "PRISM_CTV_SETTLEMENT_ENABLED=1",
                "PRISM_RESERVED_COINBASE_OUTPUTS=16",
                "PRISM_MAX_DIRECT_COINBASE_OUTPUTS=500"));
    }

    @Test
    void theHighDifficultyListenerHasDocumentedDefaults() {
        Environment e = load(with(lab(), "PRISM_STRATUM_HIGHDIFF_PORT=4334")).environment();

        assertThat(e.get(DifficultyVariables.STRATUM_HIGHDIFF_MIN_DIFF)).isEqualByComparingTo("500000");
        assertThat(e.get(DifficultyVariables.STRATUM_HIGHDIFF_START_DIFF)).isEqualByComparingTo("500000");
        assertThat(e.get(DifficultyVariables.STRATUM_HIGHDIFF_MAX_DIFF)).isEqualByComparingTo("4294967296");
    }

    @Test
    void anExplicitFallbackAddressWinsOnATestChainToo() {
        assertThat(load(with(lab(), "QBIT_CHAIN=testnet4", "PRISM_USERNAME_FALLBACK_ADDRESS=mine"))
                        .environment()
                        .find(StratumVariables.USERNAME_FALLBACK_ADDRESS))
                .contains("mine");
    }

    @ParameterizedTest
    @CsvSource({
        "PRISM_WATCHDOG_INTERVAL_SECONDS=120,W3",
        "PRISM_BLOCKWAIT_TIMEOUT_SECONDS=115,W5",
        "PRISM_JOB_BUILD_TIMEOUT_SECONDS=120,W6",
        "PRISM_SHARE_COMMIT_TIMEOUT_SECONDS=120,W6",
        "PRISM_BLOCKPOLL_SECONDS=15,T1",
        "PRISM_BLOCK_LANDING_DB_TIMEOUT_MAX_SECONDS=20,B1",
        "PRISM_BLOCK_LANDING_DB_TIMEOUT_SECONDS=0.5,B2",
        "PRISM_BLOCK_SUBMIT_STUCK_CALL_EXIT_SECONDS=0.5,B3",
        "PRISM_PUBLIC_POOL_FEE_BPS=100,C9",
        "PRISM_BUNDLE_COMPILER_COMMAND=tool,K2",
        "PRISM_POSTGRES_IDLE_IN_TRANSACTION_TIMEOUT_SECONDS=26,L4"
    })
    void aSettingThatIsOnlyUnwiseIsAWarningOfItsRule(String setting, String rule) {
        ConfigReport report = load(with(lab(), setting));

        assertThat(report.errors()).isEmpty();
        assertThat(report.warnings()).anySatisfy(f -> {
            assertThat(f.rule()).isEqualTo(rule);
            assertThat(f.variables()).contains(setting.substring(0, setting.indexOf('=')));
        });
    }

    @Test
    void aWatchdogBelowASecondIsRefusedWhileItIsOn() {
        Map<String, String> fast = with(lab(), "PRISM_WATCHDOG_TIMEOUT_SECONDS=0.5");

        assertError(fast, "W4", "PRISM_WATCHDOG_TIMEOUT_SECONDS");
        assertOk(with(fast, "PRISM_WATCHDOG_ENABLED=0"));
    }

    @Test
    void aStartOutsideTheRangeIsAWarningInALaboratory() {
        ConfigReport report = load(with(lab(), "PRISM_STRATUM_VARDIFF_START_DIFF=2048"));

        assertThat(report.errors()).isEmpty();
        assertThat(report.warnings()).anySatisfy(f -> {
            assertThat(f.rule()).isEqualTo("V2");
            assertThat(f.render()).contains("PRISM_STRATUM_VARDIFF_START_DIFF", "1024");
        });
    }
}
