package org.prismpool.app.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.prismpool.app.check.CheckRow.Level;
import org.prismpool.config.ProcessRole;

class StaticChecksTest {

    private static final Map<String, String> PRODUCTION = with(
            Map.of(),
            "QBIT_PRODUCTION=1",
            "QBIT_CHAIN=signet",
            "QBIT_RPC_HOST=q",
            "QBIT_RPC_USER=u",
            "QBIT_RPC_PASSWORD=strong",
            "PRISM_DATABASE_URL=postgresql://h/d",
            "PRISM_MANIFEST_SIGNING_SEED_HEX=" + "a1".repeat(32),
            "PRISM_LEDGER_ATTESTATION_SIGNING_SEED_HEX=" + "b2".repeat(32),
            "PRISM_LEDGER_WRITER_PUBLIC_KEY_HEX=55154f42065ea5a1bea05463826be2684eb92df92c100027aabaae57ca554207",
            "PRISM_LEDGER_WRITER_ID=w",
            "PRISM_LEDGER_WRITER_EPOCH=1",
            "PRISM_AUDIT_DIR=/a",
            "PRISM_EVIDENCE_PATH=/a/e.json",
            "PRISM_STRATUM_SHARE_DIFF=1024",
            "PRISM_STRATUM_VARDIFF_MIN_DIFF=1024",
            "PRISM_STRATUM_VARDIFF_START_DIFF=4096",
            "PRISM_STRATUM_VARDIFF_MAX_DIFF=65536");
    private static final Map<String, String> LAB = with(
            Map.of(),
            "QBIT_RPC_HOST=q",
            "QBIT_RPC_USER=u",
            "QBIT_RPC_PASSWORD=change-this",
            "PRISM_ALLOW_MEMORY_LEDGER=1",
            "PRISM_MANIFEST_SIGNING_SEED_HEX=" + "a1".repeat(32),
            "PRISM_LEDGER_ATTESTATION_SIGNING_SEED_HEX=" + "b2".repeat(32),
            "PRISM_LEDGER_WRITER_PUBLIC_KEY_HEX=55154f42065ea5a1bea05463826be2684eb92df92c100027aabaae57ca554207");
    static final Map<String, String> PRELAUNCH = with(
            PRODUCTION,
            "QBIT_CHAIN=mainnet",
            "QBIT_TOOLS_PRODUCTION=1",
            "CKPOOL_NON_TEST_READINESS_GATE=0",
            "QBIT_MAINNET_LAUNCH_READINESS_CHECKS_ENABLED= 0 ",
            "PRISM_STRATUM_STALE_GRACE_SECONDS=0",
            "QBIT_EXPECTED_GENESIS_HASH=" + "0".repeat(64));

    static Map<String, String> with(Map<String, String> base, String... settings) {
        Map<String, String> copy = new HashMap<>(base);
        for (String setting : settings) {
            String[] sides = setting.split("=", 2);
            copy.put(sides[0], sides[1]);
        }
        return copy;
    }

    private static Map<String, String> without(Map<String, String> base, String name) {
        Map<String, String> copy = new HashMap<>(base);
        copy.remove(name);
        return copy;
    }

    private static CheckReport check(Map<String, String> texts) throws InterruptedException {
        return new SelfCheck(texts, ProcessRole.ALL, Duration.ofSeconds(1)).run(false, false, Set.of());
    }

    private static Level level(Map<String, String> texts, String id) throws InterruptedException {
        return row(texts, id).map(CheckRow::level).orElseThrow(() -> new AssertionError("no row " + id));
    }

    private static Optional<CheckRow> row(Map<String, String> texts, String id) throws InterruptedException {
        return check(texts).rows().stream().filter(row -> row.id().equals(id)).findFirst();
    }

    @Test
    void aValidSignetMapHasNoFailureAndSaysThatNothingWasProbed() throws Exception {
        CheckReport report = check(PRODUCTION);

        assertThat(report.rows().stream().filter(row -> row.level() == Level.FAIL))
                .isEmpty();
        assertThat(report.rows()).contains(CheckRow.warn("live.probes", "skipped"));
        assertThat(report.ok()).isTrue();
        assertThat(new SelfCheck(PRODUCTION, ProcessRole.ALL, Duration.ofSeconds(1))
                        .run(false, true, Set.of())
                        .ok())
                .as("strict: a warning counts")
                .isFalse();
    }

    @Test
    void aLaboratoryPassesWithWarnings() throws Exception {
        CheckReport report = check(LAB);

        assertThat(report.rows().stream().filter(row -> row.level() == Level.FAIL))
                .isEmpty();
        assertThat(level(LAB, "qbit.rpc_auth")).isEqualTo(Level.WARN);
        assertThat(level(LAB, "ledger.database")).isEqualTo(Level.WARN);
        assertThat(level(LAB, "env.PRISM_ALLOW_MEMORY_LEDGER")).isEqualTo(Level.WARN);
    }

    @Test
    void productionWithDefaultsFails() throws Exception {
        CheckReport report = check(Map.of("QBIT_PRODUCTION", "1", "QBIT_CHAIN", "signet"));

        assertThat(report.ok()).isFalse();
        assertThat(report.rows().stream()
                        .filter(row -> row.level() == Level.FAIL)
                        .map(CheckRow::id))
                .contains(
                        "env.QBIT_RPC_HOST",
                        "env.PRISM_MANIFEST_SIGNING_SEED_HEX",
                        "env.PRISM_LEDGER_WRITER_PUBLIC_KEY_HEX",
                        "env.PRISM_LEDGER_WRITER_ID",
                        "ledger.database",
                        "qbit.rpc_auth",
                        "mining.production_difficulty",
                        "audit.paths");
    }

    @Test
    void everyRowOfTheContractIsThereOnceWithoutABackend() throws Exception {
        List<String> ids = check(PRODUCTION).rows().stream().map(CheckRow::id).toList();

        assertThat(ids).doesNotHaveDuplicates();
        assertThat(ids)
                .contains(
                        "launch.readiness",
                        "qbit.chain",
                        "qbit.chain_flag",
                        "env.QBIT_MAINNET_PRELAUNCH_MAX_TIP_AGE_SECONDS",
                        "qbit.genesis_config",
                        "env.PRISM_MANIFEST_SIGNING_SEED_HEX",
                        "env.PRISM_LEDGER_ATTESTATION_SIGNING_SEED_HEX",
                        "env.PRISM_LEDGER_WRITER_PUBLIC_KEY_HEX",
                        "keys.match",
                        "keys.test_seeds",
                        "env.PRISM_LEDGER_WRITER_ID",
                        "env.PRISM_LEDGER_WRITER_EPOCH",
                        "env.PRISM_ALLOW_MEMORY_LEDGER",
                        "env.PRISM_ALLOW_TEST_SIGNING_SEEDS",
                        "env.PRISM_ALLOW_BUNDLE_EMBEDDED_LEDGER_KEY",
                        "env.PRISM_ALLOW_FIXED_LEDGER_SESSION_TOKEN",
                        "ledger.database",
                        "ledger.database_auth",
                        "audit.paths",
                        "qbit.rpc_auth",
                        "mining.min_ready",
                        "mining.share_diff",
                        "mining.stale_grace",
                        "mining.vardiff",
                        "mining.production_difficulty",
                        "mining.highdiff",
                        "pool.fee",
                        "coinbase.output_policy",
                        "ctv.fee_premium",
                        "ctv.fee_source",
                        "timing.watchdog",
                        "timing.lease",
                        "qbit.rpc_bind",
                        "release.provenance");
    }

    @ParameterizedTest
    @CsvSource({
        "QBIT_CHAIN=regtest,qbit.chain",
        "QBIT_CHAIN=moonnet,qbit.chain_flag",
        "QBIT_CHAIN_FLAG=-regtest,qbit.chain_flag",
        "QBIT_EXPECTED_GENESIS_HASH=zz,qbit.genesis_config",
        "QBIT_GIT_COMMIT=main,qbit.source_pin",
        "CKPOOL_GIT_REF=abc,source.CKPOOL_GIT_REF",
        "PRISM_LEDGER_WRITER_ID=EMPTY,env.PRISM_LEDGER_WRITER_ID",
        "PRISM_ALLOW_MEMORY_LEDGER=1,env.PRISM_ALLOW_MEMORY_LEDGER",
        "PRISM_DATABASE_URL=postgresql://u:change-this@h/d,ledger.database_auth",
        "PRISM_AUDIT_DIR=EMPTY,audit.paths",
        "QBIT_RPC_PASSWORD=change-this,qbit.rpc_auth",
        "PRISM_MIN_READY_MINERS=0,mining.min_ready",
        "PRISM_STRATUM_SHARE_DIFF=NaN,mining.share_diff",
        "PRISM_STRATUM_STALE_GRACE_SECONDS=-1,mining.stale_grace",
        "PRISM_STRATUM_VARDIFF_MIN_DIFF=100000,mining.vardiff",
        "PRISM_STRATUM_VARDIFF_START_DIFF=1e-9,mining.production_difficulty",
        "PRISM_STRATUM_HIGHDIFF_PORT=70000,mining.highdiff",
        "PRISM_POOL_FEE_BPS=100,pool.fee",
        "PRISM_COINBASE_OUTPUT_POLICY=pool-fee-first,coinbase.output_policy",
        "PRISM_WATCHDOG_TIMEOUT_SECONDS=60,timing.watchdog",
        "PRISM_LEDGER_LEASE_TTL_SECONDS=15,timing.lease",
        "QBIT_MAINNET_LAUNCH_READINESS_CHECKS_ENABLED=0,launch.readiness",
        "QBIT_MAINNET_LAUNCH_READINESS_CHECKS_ENABLED=1,env.QBIT_MAINNET_LAUNCH_READINESS_CHECKS_ENABLED",
        "QBIT_MAINNET_LAUNCH_READINESS_CHECKS_ENABLED=maybe,env.QBIT_MAINNET_LAUNCH_READINESS_CHECKS_ENABLED",
        "QBIT_MAINNET_PRELAUNCH_MAX_TIP_AGE_SECONDS=600,env.QBIT_MAINNET_PRELAUNCH_MAX_TIP_AGE_SECONDS",
        "QBIT_MAINNET_PRELAUNCH_MAX_TIP_AGE_SECONDS=EMPTY,env.QBIT_MAINNET_PRELAUNCH_MAX_TIP_AGE_SECONDS"
    })
    void oneBadValueFailsItsRow(String setting, String id) throws Exception {
        assertThat(row(PRODUCTION, id).map(CheckRow::level)).as("before").isNotEqualTo(Optional.of(Level.FAIL));
        assertThat(level(with(PRODUCTION, setting.replace("EMPTY", "")), id)).isEqualTo(Level.FAIL);
    }

    @Test
    void theTwoRowsThatNeedMoreThanOneValueFailToo() throws Exception {
        Map<String, String> ctv = with(PRELAUNCH, "PRISM_CTV_SETTLEMENT_ENABLED=1");
        assertThat(level(ctv, "ctv.fee_source")).isEqualTo(Level.FAIL);
        assertThat(level(with(ctv, "PRISM_CTV_FANOUT_FEE_PREMIUM_BPS=0"), "ctv.fee_premium"))
                .isEqualTo(Level.FAIL);
        assertThat(level(with(PRODUCTION, "PRISM_CTV_SETTLEMENT_ENABLED=1"), "ctv.fee_source"))
                .isEqualTo(Level.WARN);
        assertThat(level(with(PRODUCTION, "PRISM_LEDGER_WRITER_PUBLIC_KEY_HEX=" + "11".repeat(32)), "keys.match"))
                .isEqualTo(Level.FAIL);
        assertThat(level(with(LAB, "PRISM_LEDGER_WRITER_PUBLIC_KEY_HEX=" + "11".repeat(32)), "keys.match"))
                .isEqualTo(Level.WARN);
        assertThat(level(with(PRODUCTION, "PRISM_MANIFEST_SIGNING_SEED_HEX=" + "42".repeat(32)), "keys.test_seeds"))
                .isEqualTo(Level.FAIL);
        assertThat(level(with(LAB, "PRISM_STRATUM_VARDIFF=0"), "mining.vardiff"))
                .isEqualTo(Level.WARN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"19552", "0.0.0.0:19552", "[::]:19552", "203.0.113.8:19552", "node.example:19552"})
    void aNodePublishedToTheWorldFails(String mapping) throws Exception {
        assertThat(level(with(PRODUCTION, "QBIT_RPC_PORT_HOST=" + mapping), "qbit.rpc_bind"))
                .isEqualTo(Level.FAIL);
        assertThat(level(with(LAB, "QBIT_RPC_PORT_HOST=" + mapping), "qbit.rpc_bind"))
                .isEqualTo(Level.PASS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1:1",
                "10.1.2.3:19552",
                "100.64.0.1:1",
                "172.31.0.1:1",
                "192.168.1.1:1",
                "[::1]:1",
                "[fd00::1]:1",
                "[fe80::1]:65535"
            })
    void aNodeOnAPrivateNetworkPasses(String mapping) throws Exception {
        assertThat(level(with(PRODUCTION, "QBIT_RPC_PORT_HOST=" + mapping), "qbit.rpc_bind"))
                .isEqualTo(Level.PASS);
    }

    @Test
    void aPackagedReleaseOnTheMainNetworkMustBePinned() throws Exception {
        String digest = "@sha256:" + "ab".repeat(32);
        Map<String, String> good = with(
                PRELAUNCH,
                "PRISM_COORDINATOR_IMAGE=registry/prism" + digest,
                "PRISM_POSTGRES_IMAGE=postgres" + digest,
                "PRISM_COORDINATOR_DATA_SOURCE=/srv/prism",
                "PRISM_POSTGRES_DATA_SOURCE=/srv/pg",
                "PRISM_POSTGRES_WAL_SOURCE=/srv/wal");
        assertThat(level(good, "release.provenance")).isEqualTo(Level.PASS);
        for (String bad : new String[] {
            "PRISM_COORDINATOR_IMAGE=registry/prism:latest",
            "PRISM_POSTGRES_WAL_SOURCE=wal",
            "PRISM_POSTGRES_WAL_SOURCE=/srv/pg/"
        }) {
            assertThat(level(with(good, bad), "release.provenance")).as(bad).isEqualTo(Level.FAIL);
        }
        assertThat(level(with(PRODUCTION, "PRISM_POSTGRES_IMAGE=postgres:16"), "release.provenance"))
                .isEqualTo(Level.WARN);
    }

    @Test
    void onlyTheWholeTupleAuthorisesAPrelaunch() throws Exception {
        assertThat(new Prelaunch(PRELAUNCH).authorised()).isTrue();
        assertThat(level(PRELAUNCH, "launch.readiness")).isEqualTo(Level.WARN);
        for (String name : new String[] {
            "QBIT_CHAIN",
            "QBIT_PRODUCTION",
            "QBIT_TOOLS_PRODUCTION",
            "CKPOOL_NON_TEST_READINESS_GATE",
            "QBIT_MAINNET_LAUNCH_READINESS_CHECKS_ENABLED"
        }) {
            assertThat(new Prelaunch(without(PRELAUNCH, name)).authorised())
                    .as(name)
                    .isFalse();
            assertThat(new Prelaunch(with(PRELAUNCH, name + "=maybe")).authorised())
                    .as(name)
                    .isFalse();
        }
        assertThat(level(without(PRELAUNCH, "CKPOOL_NON_TEST_READINESS_GATE"), "launch.readiness"))
                .isEqualTo(Level.FAIL);
        assertThat(level(without(PRELAUNCH, "QBIT_MAINNET_LAUNCH_READINESS_CHECKS_ENABLED"), "launch.readiness"))
                .isEqualTo(Level.PASS);
    }

    @Test
    void thePrelaunchTipAgeIsAWholeNumberOnTheMainNetwork() throws Exception {
        String id = "env.QBIT_MAINNET_PRELAUNCH_MAX_TIP_AGE_SECONDS";
        String name = "QBIT_MAINNET_PRELAUNCH_MAX_TIP_AGE_SECONDS=";
        assertThat(level(with(PRELAUNCH, name + "9223372036854775807"), id)).isEqualTo(Level.PASS);
        for (String bad : new String[] {"0", "9223372036854775808", "1.5", "+1", "१"}) {
            assertThat(level(with(PRELAUNCH, name + bad), id)).as(bad).isEqualTo(Level.FAIL);
        }
    }

    @Test
    void noSecretIsShown() throws Exception {
        Map<String, String> environment = with(
                PRODUCTION,
                "QBIT_RPC_PASSWORD=rpc-hunter2",
                "PRISM_DATABASE_URL=postgresql://u:db-hunter2@h/d",
                "PRISM_LEDGER_WRITER_SESSION_TOKEN=token-hunter2",
                "PRISM_MANIFEST_SIGNING_SEED_HEX=" + "5e".repeat(31) + "zz");

        assertThat(check(environment).text() + check(environment).json()).doesNotContain("hunter2", "5e5e5e");
    }

    @Test
    void theDocumentHasTheContractsShape() throws Exception {
        JsonNode document = new ObjectMapper().readTree(check(LAB).json());

        assertThat(document.get("schema").asText()).isEqualTo("prism.check.v1");
        assertThat(document.get("ok").asBoolean()).isTrue();
        JsonNode row = document.get("rows").get(0);
        assertThat(row.toString()).startsWith("{\"status\":\"PASS\",\"id\":\"launch.readiness\",\"detail\":\"strict\"");
        assertThat(row.get("hint").isNull()).isTrue();
    }

    @Test
    void rowsAreAlignedAndHintsAreIndented() {
        CheckReport report = new CheckReport(
                List.of(
                        CheckRow.pass("a", "fine"),
                        CheckRow.fail("long.id", "bad").withHint("mend it")),
                false);

        assertThat(report.text()).isEqualTo("""
                PASS  a        fine
                FAIL  long.id  bad
                      hint: mend it
                """);
        assertThat(report.only(Set.of("a")).ok()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "4334,127.0.0.1:4334",
        "0.0.0.0:14334,0.0.0.0:14334",
        "[::1]:14334,[::1]:14334",
        "'',",
        "127.0.0.1:0,",
        "70000,",
        "x:y,"
    })
    void aPublishedPortIsHostAndPortOrNothing(String mapping, String expected) {
        assertThat(PublishedPort.parse(mapping).map(PublishedPort::toString).orElse(null))
                .isEqualTo(expected);
    }

    @Test
    void thePublicProcessIsJudgedByWhatItUses() {
        Map<String, String> texts = with(
                Map.of(),
                "QBIT_CHAIN=signet",
                "QBIT_PRODUCTION=1",
                "QBIT_RPC_HOST=q",
                "QBIT_RPC_USER=u",
                "QBIT_RPC_PASSWORD=strong",
                "PRISM_PUBLIC_DATABASE_URL=postgresql://reader@replica/pool",
                "PRISM_PUBLIC_STRATUM_URL=stratum+tcp://pool.example:3340");

        CheckReport good = publicCheck(texts);
        assertThat(good.ok()).isTrue();
        assertThat(good.rows().stream().map(CheckRow::id))
                .containsExactly("qbit.chain", "qbit.genesis_config", "qbit.rpc_auth", "live.probes");

        CheckReport bad = publicCheck(with(
                texts,
                "PRISM_PUBLIC_DATABASE_URL=",
                "PRISM_PUBLIC_STRATUM_URL=",
                "QBIT_RPC_PASSWORD=change-this",
                "PRISM_AUDIT_BIND=127.0.0.1",
                "PRISM_AUDIT_PORT=3342"));
        assertThat(bad.ok()).isFalse();
        assertThat(bad.rows().stream().filter(row -> row.level() == Level.FAIL).map(CheckRow::id))
                .containsExactlyInAnyOrder(
                        "qbit.rpc_auth", "P12", "H6", "env.PRISM_PUBLIC_DATABASE_URL", "env.PRISM_PUBLIC_STRATUM_URL");
    }

    private static CheckReport publicCheck(Map<String, String> texts) {
        try {
            return new SelfCheck(texts, ProcessRole.PUBLIC, Duration.ofSeconds(1)).run(false, false, Set.of());
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
