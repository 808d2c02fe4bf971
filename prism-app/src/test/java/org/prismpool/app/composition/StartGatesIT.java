package org.prismpool.app.composition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.prismpool.app.composition.backend.StartFailure;
import org.prismpool.app.devnode.DevNode;
import org.prismpool.app.devnode.DevNodeConfig;
import org.prismpool.app.devnode.DevNodeHttp;
import org.prismpool.app.devnode.DevNodeHttpConfig;
import org.prismpool.app.devnode.fault.CallRecord;
import org.prismpool.app.testing.TestSettings;
import org.prismpool.config.ConfigReport;
import org.prismpool.config.PrismConfiguration;

/** What the node says at the start decides whether the pool starts (spec 01 §5.6); a refusal names what to look at. */
@Timeout(120)
class StartGatesIT {

    @TempDir
    private Path folder;

    private final DevNode node = DevNode.start(DevNodeConfig.forTests().withFreshBlockAtStart(true));
    private final DevNodeHttp http =
            DevNodeHttp.start(DevNodeHttpConfig.onLoopback(TestSettings.RPC_USER, TestSettings.RPC_PASSWORD), node);
    private Optional<Coordinator> coordinator = Optional.empty();

    @AfterEach
    void stop() {
        coordinator.ifPresent(started -> started.stop("test_end"));
        http.close();
        node.close();
    }

    private Coordinator coordinator(String... more) {
        Map<String, String> settings = TestSettings.endless(TestSettings.memory(http.port()), folder);
        for (String setting : more) {
            String[] sides = setting.split("=", 2);
            settings.put(sides[0], sides[1]);
        }
        ConfigReport report = PrismConfiguration.loader().load(settings);
        assertThat(report.ok()).as(report.render()).isTrue();
        Coordinator fresh = new Coordinator(
                report.environment(), new CoordinatorOptions(Optional.of(0), Optional.of(0), 0), PoolEvents.NONE);
        coordinator = Optional.of(fresh);
        return fresh;
    }

    private String refusal(String... more) {
        Coordinator refused = coordinator(more);
        return catchThrowableOfType(StartFailure.class, refused::start).getMessage();
    }

    @Test
    void aNodeOfAnotherChainRefusesTheStart() {
        node.control().view(view -> view.withChainName("main"));

        assertThat(refusal()).contains("QBIT_CHAIN");
    }

    @Test
    void anotherGenesisBlockRefusesTheStart() {
        assertThat(refusal("QBIT_EXPECTED_GENESIS_HASH=" + "33".repeat(32))).contains("QBIT_EXPECTED_GENESIS_HASH");
    }

    @Test
    void aTemplateWithoutAParentRefusesTheStart() {
        node.control().tamper().omit("previousblockhash");

        assertThat(refusal()).contains("previousblockhash");
    }

    @Test
    void anOldTemplateRefusesTheStart() {
        long old = Instant.now().getEpochSecond() - 600;
        node.control().tamper().replace("curtime", LongNode.valueOf(old));

        assertThat(refusal()).contains("PRISM_TEMPLATE_MAX_AGE_SECONDS");
    }

    @Test
    void aMalformedMaskRefusesTheStartBeforeAnythingElseIsAsked() {
        node.control().tamper().replace("versionrollingmask", TextNode.valueOf("many"));

        assertThat(refusal()).contains("versionrollingmask");

        assertThat(node.recorder().calls()).extracting(CallRecord::method).containsOnly("getblocktemplate");
    }

    @ParameterizedTest
    @CsvSource({"249, false", "250, true"})
    void theConfiguredFeeRateIsHeldAgainstTheNodesFloor(int bitsPer1000Weight, boolean starts) throws Exception {
        String[] settings = {
            "PRISM_CTV_SETTLEMENT_ENABLED=1",
            "PRISM_CTV_FANOUT_FEE_MARKET_RATE_BITS_PER_1000_WEIGHT=" + bitsPer1000Weight
        };

        if (starts) {
            assertThat(coordinator(settings).start()).isTrue();
        } else {
            assertThat(refusal(settings)).contains("PRISM_CTV_FANOUT_FEE_MARKET_RATE_BITS_PER_1000_WEIGHT");
        }
    }

    /** Trap T-33 of the block specification. */
    @ParameterizedTest
    @CsvSource({"00000000, false", "0000e000, true"})
    void theMaskOfTheNodeIsTheOneThatMinersGet(String mask, boolean rolling) throws Exception {
        node.control().tamper().replace("versionrollingmask", TextNode.valueOf(mask));
        Coordinator started = coordinator();
        assertThat(started.start()).isTrue();

        try (Socket miner = new Socket("127.0.0.1", started.stratumPort())) {
            miner.getOutputStream()
                    .write(("{\"id\":1,\"method\":\"mining.configure\",\"params\":[[\"version-rolling\"],"
                                    + "{\"version-rolling.mask\":\"1fffe000\"}]}\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new BufferedReader(new InputStreamReader(miner.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
            assertThat(answer)
                    .contains("\"version-rolling\": " + rolling)
                    .contains("\"version-rolling.mask\": \"" + mask + "\"");
        }
    }
}
