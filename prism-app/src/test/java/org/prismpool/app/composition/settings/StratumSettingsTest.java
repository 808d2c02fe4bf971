package org.prismpool.app.composition.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.app.testing.TestSettings;
import org.prismpool.config.ConfigReport;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.stratum.ListenerConfig;
import org.prismpool.stratum.ProtocolLimits;
import org.prismpool.stratum.ProxyProtocol;
import org.prismpool.stratum.StratumConfig;
import org.prismpool.stratum.vardiff.ResumePolicy;
import org.prismpool.stratum.vardiff.VardiffPace;

/** Each Stratum variable of the environment reaches the record that the server reads. */
class StratumSettingsTest {

    private static final int MASK = 0x1fffe000;

    @TempDir
    private Path directory;

    private static StratumConfig settings(Map<String, String> more) {
        Map<String, String> environment = TestSettings.memory(1);
        environment.putAll(more);
        ConfigReport report = PrismConfiguration.loader().load(environment);
        assertThat(report.ok()).as(report.render()).isTrue();
        return StratumSettings.of(report.environment(), MASK, Optional.empty());
    }

    @Test
    void anEmptyEnvironmentGivesTheDocumentedDefaults() {
        StratumConfig config = settings(Map.of());

        assertThat(config.listeners()).extracting(ListenerConfig::name).containsExactly("default");
        ListenerConfig listener = config.listeners().get(0);
        assertThat(listener.bind()).isEqualTo("127.0.0.1");
        assertThat(listener.port()).isEqualTo(3340);
        assertThat(listener.backlog()).isEqualTo(1024);
        assertThat(listener.heartbeat()).isEqualTo("stratum_accept");
        assertThat(listener.vardiff().range().max()).isEqualByComparingTo("1024");
        assertThat(config.connections().maxConnections()).isEqualTo(384);
        assertThat(config.connections().handshakeTimeout()).isEqualTo(Duration.ofSeconds(60));
        assertThat(config.connections().sendTimeout()).isEqualTo(Duration.ofSeconds(20));
        assertThat(config.jobs().versionMask()).isEqualTo(MASK);
        assertThat(config.jobs().extranonce2Size()).isEqualTo(8);
        assertThat(config.transport().proxyProtocol().mode()).isEqualTo(ProxyProtocol.Mode.OFF);
        assertThat(config.identity().fallbackAddress()).isEmpty();
    }

    @Test
    void connectionAndProtocolLimitsAreTaken() {
        StratumConfig config = settings(Map.of(
                "PRISM_STRATUM_MAX_CONNECTIONS", "501",
                "PRISM_STRATUM_MAX_CONNECTIONS_PER_USERNAME", "7",
                "PRISM_STRATUM_MAX_CONNECTIONS_PER_IP", "9",
                "PRISM_STRATUM_HANDSHAKE_TIMEOUT_SECONDS", "11",
                "PRISM_STRATUM_SEND_TIMEOUT_SECONDS", "13",
                "PRISM_STRATUM_ACCEPT_RESOURCE_EXHAUSTION_BACKOFF_SECONDS", "3",
                "PRISM_STRATUM_BIND_RETRY_SECONDS", "17",
                "PRISM_STRATUM_MAX_LINE_BYTES", "4096",
                "PRISM_STRATUM_MAX_PROTOCOL_ERRORS", "19"));

        assertThat(config.connections().maxConnections()).isEqualTo(501);
        assertThat(config.connections().maxPerUsername()).isEqualTo(7);
        assertThat(config.connections().maxPerAddress()).isEqualTo(9);
        assertThat(config.connections().handshakeTimeout()).isEqualTo(Duration.ofSeconds(11));
        assertThat(config.connections().sendTimeout()).isEqualTo(Duration.ofSeconds(13));
        assertThat(config.connections().acceptBackoff()).isEqualTo(Duration.ofSeconds(3));
        assertThat(config.connections().bindRetry()).isEqualTo(Duration.ofSeconds(17));
        assertThat(config.protocol().maxLineBytes()).isEqualTo(4096);
        assertThat(config.protocol().maxProtocolErrors()).isEqualTo(19);
        assertThat(config.protocol().rejectBurst())
                .isEqualTo(ProtocolLimits.defaults().rejectBurst());
    }

    @Test
    void listenersForHighDifficultyAndTlsOpenWithTheirOwnPorts() throws Exception {
        Path certificate = Files.writeString(directory.resolve("cert.pem"), "x");
        Path key = Files.writeString(directory.resolve("key.pem"), "x");
        StratumConfig config = settings(Map.ofEntries(
                entry("PRISM_STRATUM_BIND", "::1"),
                entry("PRISM_STRATUM_PORT", "4001"),
                entry("PRISM_STRATUM_LISTEN_BACKLOG", "77"),
                entry("PRISM_STRATUM_COINBASE_BUDGET_BYTES", "1000"),
                entry("PRISM_STRATUM_COINBASE_BUDGET_ACTION", "refuse"),
                entry("PRISM_STRATUM_HIGHDIFF_BIND", "127.0.0.1"),
                entry("PRISM_STRATUM_HIGHDIFF_PORT", "4002"),
                entry("PRISM_STRATUM_HIGHDIFF_MIN_DIFF", "600000"),
                entry("PRISM_STRATUM_HIGHDIFF_START_DIFF", "700000"),
                entry("PRISM_STRATUM_HIGHDIFF_MAX_DIFF", "900000"),
                entry("PRISM_STRATUM_HIGHDIFF_SHARE_DIFF", "800000"),
                entry("PRISM_STRATUM_HIGHDIFF_COINBASE_BUDGET_BYTES", "500"),
                entry("PRISM_STRATUM_TLS_PORT", "4003"),
                entry("PRISM_STRATUM_TLS_CERT_FILE", certificate.toString()),
                entry("PRISM_STRATUM_TLS_KEY_FILE", key.toString())));

        assertThat(config.listeners())
                .extracting(ListenerConfig::name, ListenerConfig::bind, ListenerConfig::port, ListenerConfig::heartbeat)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("default", "::1", 4001, "stratum_accept"),
                        org.assertj.core.groups.Tuple.tuple("highdiff", "127.0.0.1", 4002, "stratum_accept_highdiff"),
                        org.assertj.core.groups.Tuple.tuple("tls", "::1", 4003, "stratum_accept_tls"));
        assertThat(config.listeners())
                .allSatisfy(listener -> assertThat(listener.backlog()).isEqualTo(77));
        ListenerConfig high = config.listeners().get(1);
        assertThat(high.floor()).hasValue(new BigDecimal("600000"));
        assertThat(high.vardiff().range().start()).isEqualByComparingTo("700000");
        assertThat(high.vardiff().range().max()).isEqualByComparingTo("900000");
        assertThat(high.fixedDifficulty()).isEqualByComparingTo("800000");
        assertThat(high.coinbaseBudgetBytes()).isEqualTo(500);
        ListenerConfig tls = config.listeners().get(2);
        assertThat(tls.tls().orElseThrow().certificateChain()).isEqualTo(certificate);
        assertThat(tls.tls().orElseThrow().privateKey()).isEqualTo(key);
        assertThat(tls.floor()).isEmpty();
        assertThat(tls.coinbaseBudgetBytes()).isEqualTo(1000);
        assertThat(config.transport().refuseOverBudget()).isTrue();
    }

    @Test
    void theProxyProtocolIsBelievedFromTheNamedNetworksOnly() throws Exception {
        StratumConfig config = settings(Map.of(
                "PRISM_STRATUM_PROXY_PROTOCOL", "v2",
                "PRISM_STRATUM_PROXY_TRUSTED_CIDRS", "10.0.0.0/8, fd00::/8"));
        ProxyProtocol proxy = config.transport().proxyProtocol();

        assertThat(proxy.mode()).isEqualTo(ProxyProtocol.Mode.V2);
        assertThat(proxy.trusted()).hasSize(2);
        assertThat(proxy.trusted().get(0).contains(InetAddress.getByName("10.1.2.3")))
                .isTrue();
        assertThat(proxy.trusted().get(1).contains(InetAddress.getByName("fd00::1")))
                .isTrue();
        assertThat(proxy.trusted()).noneMatch(network -> network.contains(InetAddress.getLoopbackAddress()));
    }

    @Test
    void sharesIdentityAndVardiffFollowTheirVariables() {
        StratumConfig config = settings(Map.ofEntries(
                entry("PRISM_STRATUM_STALE_GRACE_SECONDS", "4"),
                entry("PRISM_SUBMIT_TIP_MAX_AGE_SECONDS", "5"),
                entry("PRISM_TEMPLATE_REFRESH_FAILURE_EXIT_SECONDS", "99"),
                entry("PRISM_STRATUM_NTIME_FORWARD_SECONDS", "0"),
                entry("PRISM_STRATUM_EXTRANONCE2_SIZE", "6"),
                entry("PRISM_STRATUM_INTEGRAL_DIFFICULTY", "0"),
                entry("PRISM_STRATUM_SHARE_WEIGHTS_JSON", "{\"a.b\": 12}"),
                entry("PRISM_WORKER_METRICS_LIMIT", "3"),
                entry("PRISM_STRATUM_VARDIFF", "0"),
                entry("PRISM_STRATUM_VARDIFF_IDLE_SWEEP_SECONDS", "21"),
                entry("PRISM_STRATUM_VARDIFF_RESUME", "0"),
                entry("PRISM_STRATUM_VARDIFF_RESUME_TTL_SECONDS", "22"),
                entry("PRISM_STRATUM_VARDIFF_RESUME_MAX_ENTRIES", "23"),
                entry("PRISM_STRATUM_VARDIFF_RESUME_MAX_START_FACTOR", "24"),
                entry("PRISM_STRATUM_VARDIFF_MIN_DIFF", "2"),
                entry("PRISM_STRATUM_VARDIFF_START_DIFF", "4"),
                entry("PRISM_STRATUM_VARDIFF_MAX_DIFF", "8"),
                entry("PRISM_STRATUM_SHARE_DIFF", "3"),
                entry("PRISM_STRATUM_VARDIFF_TARGET_SECONDS", "10"),
                entry("PRISM_STRATUM_VARDIFF_RETARGET_SECONDS", "70"),
                entry("PRISM_STRATUM_VARDIFF_MAX_STEP_UP", "3"),
                entry("PRISM_STRATUM_VARDIFF_MAX_STEP_DOWN", "5"),
                entry("PRISM_STRATUM_VARDIFF_EWMA_ALPHA", "0.5"),
                entry("PRISM_STRATUM_VARDIFF_RETARGET_TOLERANCE", "0.1")));

        assertThat(config.shares().staleGrace()).isEqualTo(Duration.ofSeconds(4));
        assertThat(config.shares().tipMaxAge()).isEqualTo(Duration.ofSeconds(5));
        assertThat(config.shares().divergenceLease()).isEqualTo(Duration.ofSeconds(99));
        assertThat(config.shares().ntimeForwardSeconds()).isZero();
        assertThat(config.jobs().extranonce2Size()).isEqualTo(6);
        assertThat(config.jobs().integralDifficulty()).isFalse();
        assertThat(config.identity().weights()).containsExactly(entry("a.b", BigInteger.valueOf(12)));
        assertThat(config.identity().workerLabels()).isEqualTo(3);
        assertThat(config.difficulty().vardiff()).isFalse();
        assertThat(config.difficulty().idleSweep()).isEqualTo(Duration.ofSeconds(21));
        assertThat(config.difficulty().resume())
                .isEqualTo(new ResumePolicy(false, Duration.ofSeconds(22), 23, new BigDecimal("24")));
        ListenerConfig listener = config.listeners().get(0);
        assertThat(listener.fixedDifficulty()).isEqualByComparingTo("3");
        assertThat(listener.vardiff().range().min()).isEqualByComparingTo("2");
        assertThat(listener.vardiff().range().start()).isEqualByComparingTo("4");
        assertThat(listener.vardiff().range().max()).isEqualByComparingTo("8");
        assertThat(listener.vardiff().pace())
                .isEqualTo(new VardiffPace(
                        new BigDecimal("10"),
                        new BigDecimal("70"),
                        new BigDecimal("3"),
                        new BigDecimal("5"),
                        new BigDecimal("0.5"),
                        new BigDecimal("0.1")));
    }

    @Test
    void aTestChainHasAFallbackAddressUnlessAnotherIsNamed() {
        assertThat(settings(Map.of("QBIT_CHAIN", "testnet4")).identity().fallbackAddress())
                .hasValue("tq1zlsq9dpxz8mennhdpr9nf9s0f2tjtq6gxs9m84k6xglhkfp92q2zszzu4m3");
        assertThat(settings(Map.of("PRISM_USERNAME_FALLBACK_ADDRESS", "somebody"))
                        .identity()
                        .fallbackAddress())
                .hasValue("somebody");
    }

    @Test
    void twoProcessStartsRepeatNeitherJobIdsNorExtranonces() {
        StratumConfig one = settings(Map.of());
        StratumConfig two = settings(Map.of());

        assertThat(one.jobs().bootId())
                .matches("[0-9a-f]{8}")
                .isNotEqualTo(two.jobs().bootId());
        assertThat(one.jobs().extranonce1Base()).isNotEqualTo(two.jobs().extranonce1Base());
    }
}
