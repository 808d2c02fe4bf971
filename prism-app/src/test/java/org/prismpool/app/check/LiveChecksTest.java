package org.prismpool.app.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.app.check.StaticChecksTest.PRELAUNCH;
import static org.prismpool.app.check.StaticChecksTest.with;

import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.Mockito;
import org.prismpool.app.check.CheckRow.Level;
import org.prismpool.config.Environment;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.config.ProcessRole;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.rpc.WalletRpc;

class LiveChecksTest {

    private final FakeNode node = new FakeNode();
    private final WalletRpc wallet = Mockito.mock(WalletRpc.class);

    private static Environment environment(Map<String, String> texts) {
        return PrismConfiguration.loader().load(texts).environment();
    }

    private Map<String, Level> levels(Map<String, String> texts) {
        return levels(checks(texts, environment(texts)).rows());
    }

    private static Map<String, Level> levels(List<CheckRow> rows) {
        return rows.stream().collect(Collectors.toMap(CheckRow::id, CheckRow::level));
    }

    private NodeChecks checks(Map<String, String> texts, Environment environment) {
        return new NodeChecks(
                node,
                wallet,
                Network.ofName(texts.get("QBIT_CHAIN")).orElseThrow(),
                environment,
                new Prelaunch(texts),
                () -> Deadline.after(Duration.ofSeconds(5), MonotonicClock.system(), "test"),
                () -> Instant.ofEpochSecond(1_700_000_120L));
    }

    @Test
    void theRowsOfAReaderNeedNeitherTemplateNorFee() {
        Environment reader =
                PrismConfiguration.loader(ProcessRole.PUBLIC).load(PRELAUNCH).environment();

        assertThat(levels(checks(PRELAUNCH, reader).rowsOfReader()))
                .containsOnlyKeys(
                        "qbit.rpc", "qbit.rpc_chain", "qbit.ibd", "qbit.headers", "qbit.genesis", "qbit.peers")
                .allSatisfy((id, level) -> assertThat(level).as(id).isEqualTo(Level.PASS));
    }

    private void assertLevel(Map<String, String> texts, String id, Level level) {
        assertThat(levels(texts)).containsEntry(id, level);
    }

    @Test
    void aHealthyNodePasses() {
        assertThat(levels(PRELAUNCH).values()).containsOnly(Level.PASS);
    }

    @Test
    void aNodeThatCannotBeReachedEndsItsRows() {
        node.down = true;

        assertThat(levels(PRELAUNCH)).containsOnlyKeys("qbit.rpc").containsEntry("qbit.rpc", Level.FAIL);
    }

    @Test
    void chainGenesisPeersAndHeadersAreNeverRelaxed() {
        node.chain = "test";
        node.genesis = "1".repeat(64);
        node.peers = 0;
        node.headers = java.util.OptionalLong.of(101);

        assertLevel(PRELAUNCH, "qbit.rpc_chain", Level.FAIL);
        assertLevel(PRELAUNCH, "qbit.genesis", Level.FAIL);
        assertLevel(PRELAUNCH, "qbit.peers", Level.FAIL);
        assertLevel(PRELAUNCH, "qbit.headers", Level.FAIL);
    }

    @Test
    void anInitialDownloadWarnsInAnAuthorisedPrelaunchOnly() {
        node.initialDownload = Optional.of(true);

        assertLevel(PRELAUNCH, "qbit.ibd", Level.WARN);
        for (String broken : new String[] {
            "QBIT_PRODUCTION=0",
            "QBIT_TOOLS_PRODUCTION=0",
            "CKPOOL_NON_TEST_READINESS_GATE=1",
            "QBIT_MAINNET_LAUNCH_READINESS_CHECKS_ENABLED=1",
            "QBIT_CHAIN=main"
        }) {
            assertLevel(with(PRELAUNCH, broken), "qbit.ibd", Level.FAIL);
        }
        node.initialDownload = Optional.empty();
        assertLevel(with(PRELAUNCH, "QBIT_PRODUCTION=0"), "qbit.ibd", Level.FAIL);
        assertLevel(with(PRELAUNCH, "QBIT_CHAIN=regtest"), "qbit.ibd", Level.PASS);
    }

    @Test
    void aTemplateMayBeAsOldAsTheLimit() {
        assertLevel(PRELAUNCH, "qbit.template", Level.PASS); // 120 s
        node.template.put("curtime", 1_699_999_999L);
        assertLevel(PRELAUNCH, "qbit.template", Level.FAIL);
        assertLevel(with(PRELAUNCH, "QBIT_CHAIN=regtest"), "qbit.template", Level.PASS);
        node.template.remove("curtime");
        assertLevel(PRELAUNCH, "qbit.template", Level.FAIL);
    }

    @Test
    void aMissingMaskWarnsAndAMalformedOneFails() {
        node.template.put("versionrollingmask", "many");
        assertLevel(PRELAUNCH, "qbit.mask", Level.FAIL);
        node.template.remove("versionrollingmask");
        assertLevel(PRELAUNCH, "qbit.mask", Level.WARN);
    }

    @Test
    void theSettlementFeeIsFixedAboveTheFloorOrEstimated() {
        Map<String, String> ctv = with(PRELAUNCH, "PRISM_CTV_SETTLEMENT_ENABLED=1");
        String rate = "PRISM_CTV_FANOUT_FEE_MARKET_RATE_BITS_PER_1000_WEIGHT=";
        assertLevel(ctv, "ctv.fee_estimator", Level.PASS);
        assertLevel(with(ctv, rate + "1000"), "ctv.relay_floor", Level.PASS);
        assertLevel(with(ctv, rate + "999"), "ctv.relay_floor", Level.FAIL);
        node.floor = Optional.empty();
        node.estimate = Optional.empty();
        assertLevel(with(ctv, rate + "1000"), "ctv.relay_floor", Level.FAIL);
        assertLevel(ctv, "ctv.fee_estimator", Level.FAIL);
    }

    @Test
    void aFeeAddressMustBePayableOnThisNode() {
        Map<String, String> fee =
                with(PRELAUNCH, "PRISM_POOL_FEE_ENABLED=1", "PRISM_POOL_FEE_BPS=1", "PRISM_POOL_FEE_ADDRESS=a");
        assertLevel(fee, "pool.fee_address", Level.PASS);
        node.script = Optional.of("5120" + "ab".repeat(32));
        assertLevel(fee, "pool.fee_address", Level.FAIL);
    }

    @Test
    void aBroadcasterThatPaysFeesNeedsAFundedWallet() {
        Map<String, String> paying = with(
                PRELAUNCH,
                "PRISM_CTV_SETTLEMENT_ENABLED=1",
                "PRISM_CTV_BROADCASTER_FEE_BITS=1000",
                "PRISM_CTV_BROADCASTER_WALLET=fees");
        Mockito.when(wallet.listUnspent(Mockito.eq("fees"), Mockito.any()))
                .thenReturn(List.of(new WalletRpc.WalletOutput(
                        org.prismpool.templates.chain.Hash256.ofDisplayHex("0".repeat(64)),
                        0,
                        new BigDecimal("0.00001"))));
        assertLevel(paying, "ctv.wallet", Level.WARN); // exactly the fee is not above it
        assertLevel(with(paying, "PRISM_CTV_BROADCASTER_FEE_BITS=999"), "ctv.wallet", Level.PASS);
    }

    /** A pool of one connection: answers each login with these lines, then closes or falls silent. */
    private static void poolThatSays(String lines, Consumer<PublishedPort> test) throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread serving = new Thread(
                    () -> {
                        while (!listener.isClosed()) {
                            try (Socket miner = listener.accept()) {
                                miner.getOutputStream().write(lines.getBytes(StandardCharsets.US_ASCII));
                            } catch (IOException ended) {
                                return;
                            }
                        }
                    },
                    "scripted-pool");
            serving.setDaemon(true);
            serving.start();
            test.accept(new PublishedPort("127.0.0.1", listener.getLocalPort()));
        }
    }

    private static HighDiffProbe.Seen seen(PublishedPort at) {
        return new HighDiffProbe(Duration.ofSeconds(2), MonotonicClock.system()).ask(at, "prism-self-check");
    }

    @ParameterizedTest
    @CsvSource({"499999", "500000", "1e6"})
    void theFirstDifficultyCounts(String text) throws IOException {
        String lines = "{\"id\":1,\"result\":[]}\nnot json\n{\"id\":2,\"result\":true}\n"
                + "{\"method\":\"mining.set_difficulty\",\"params\":[" + text + "]}\n"
                + "{\"method\":\"mining.set_difficulty\",\"params\":[1]}\n";
        poolThatSays(
                lines, at -> assertThat(seen(at).difficulty().orElseThrow()).isEqualByComparingTo(text));
    }

    @Test
    void aRefusedLoginIsNoSilence() throws IOException {
        poolThatSays(
                "{\"id\":2,\"result\":false,\"error\":null}\n",
                at -> assertThat(seen(at).refused()).isPresent());
        poolThatSays(
                "{\"id\":2,\"result\":null,\"error\":[24,\"no\",null]}\n",
                at -> assertThat(seen(at).refused()).isPresent());
        poolThatSays(
                "", at -> assertThat(seen(at)).isEqualTo(new HighDiffProbe.Seen(Optional.empty(), Optional.empty())));
    }

    private static List<CheckRow> coordinator(Map<String, String> texts) throws InterruptedException {
        return new CoordinatorChecks(
                        environment(texts), texts, new Prelaunch(texts), Duration.ofSeconds(1), MonotonicClock.system())
                .rows();
    }

    private static Map<String, Level> coordinatorLevels(Map<String, String> texts) {
        try {
            return coordinator(texts).stream().collect(Collectors.toMap(CheckRow::id, CheckRow::level));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void onlyThePublishedHighDifficultyPortCounts() throws IOException {
        Map<String, String> on = with(PRELAUNCH, "PRISM_STRATUM_HIGHDIFF_PORT=4334");
        assertThat(coordinatorLevels(with(on, "PRISM_STRATUM_HIGHDIFF_PORT_HOST=")))
                .containsEntry("stratum.highdiff_port", Level.FAIL);
        assertThat(coordinatorLevels(with(on, "PRISM_STRATUM_HIGHDIFF_PORT_HOST=127.0.0.1:0")))
                .containsEntry("stratum.highdiff_port", Level.FAIL);
        assertThat(coordinatorLevels(PRELAUNCH)).doesNotContainKey("stratum.highdiff_port");

        poolThatSays(
                "{\"method\":\"mining.set_difficulty\",\"params\":[499999]}\n",
                at -> assertThat(coordinatorLevels(with(on, "PRISM_STRATUM_HIGHDIFF_PORT_HOST=" + at)))
                        .containsEntry("stratum.highdiff_floor", Level.FAIL));
        poolThatSays(
                "{\"method\":\"mining.set_difficulty\",\"params\":[500000]}\n",
                at -> assertThat(coordinatorLevels(with(on, "PRISM_STRATUM_HIGHDIFF_PORT_HOST=" + at)))
                        .containsEntry("stratum.highdiff_floor", Level.PASS));
    }

    @Test
    void silenceOfTheHighDifficultyPortWarnsInAPrelaunchAndARefusalNever() throws IOException {
        Map<String, String> on = with(PRELAUNCH, "PRISM_STRATUM_HIGHDIFF_PORT=4334");
        poolThatSays("", at -> {
            Map<String, String> published = with(on, "PRISM_STRATUM_HIGHDIFF_PORT_HOST=" + at);
            assertThat(coordinatorLevels(published)).containsEntry("stratum.highdiff_floor", Level.WARN);
            assertThat(coordinatorLevels(with(published, "QBIT_TOOLS_PRODUCTION=0")))
                    .containsEntry("stratum.highdiff_floor", Level.FAIL);
        });
        poolThatSays(
                "{\"id\":2,\"result\":false}\n",
                at -> assertThat(coordinatorLevels(with(on, "PRISM_STRATUM_HIGHDIFF_PORT_HOST=" + at)))
                        .containsEntry("stratum.highdiff_floor", Level.FAIL));
    }

    @Test
    void aPortThatIsNoneAndAPoolThatIsNotThereFail() {
        assertThat(coordinatorLevels(with(PRELAUNCH, "PRISM_STRATUM_PORT_HOST=nowhere")))
                .containsEntry("stratum.port", Level.FAIL)
                .doesNotContainKey("stratum.tcp");
        assertThat(coordinatorLevels(with(PRELAUNCH, "PRISM_STRATUM_PORT_HOST=127.0.0.1:1")))
                .containsEntry("stratum.port", Level.PASS)
                .containsEntry("stratum.tcp", Level.FAIL);
        assertThat(coordinatorLevels(with(PRELAUNCH, "PRISM_AUDIT_BIND=127.0.0.1", "PRISM_AUDIT_PORT=1")))
                .containsEntry("coordinator.healthz", Level.FAIL);
    }

    @Test
    void readyMinersAreCountedAgainstTheMinimum() throws IOException {
        String body = "{\"ok\":true,\"accepted_share_count\":7,\"active_connections\":1,\"ready_miner_count\":0}";
        String answer = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body;
        poolThatSays(answer, at -> {
            Map<String, String> watched =
                    with(PRELAUNCH, "PRISM_AUDIT_BIND=127.0.0.1", "PRISM_AUDIT_PORT=" + at.port());
            assertThat(coordinatorLevels(watched))
                    .containsEntry("coordinator.healthz", Level.PASS)
                    .containsEntry("coordinator.ready_miners", Level.WARN);
            assertThat(coordinatorLevels(with(watched, "QBIT_TOOLS_PRODUCTION=0")))
                    .containsEntry("coordinator.ready_miners", Level.FAIL);
        });
    }
}
