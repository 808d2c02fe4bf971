package org.prismpool.stratum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.prismpool.stratum.testing.MinerJob;
import org.prismpool.stratum.testing.RecordedHandshake;
import org.prismpool.stratum.testing.StratumTestClient;

/** Handshakes as firmware and marketplaces send them (spec 02 §10). */
class HandshakeIT {

    private static Pool pool;

    @BeforeAll
    static void start() throws Exception {
        pool = Pool.started(Pool.config(Pool.listener(), Pool.highDifficulty()));
    }

    @AfterAll
    static void stop() {
        pool.close();
    }

    static List<RecordedHandshake> handshakes() {
        return RecordedHandshake.all();
    }

    @ParameterizedTest
    @MethodSource("handshakes")
    void theClientsHandshakeLeadsToAShare(RecordedHandshake handshake) throws Exception {
        try (StratumTestClient miner = pool.connect()) {
            MinerJob job = handshake
                    .replay(miner, WorkedExample.ADDRESS + "." + handshake.name())
                    .orElseThrow();

            assertThat(job.prevhash()).hasSize(64);
            assertThat(job.branch()).allMatch(sibling -> sibling.length() == 64);
            assertThat(job.difficulty()).isPositive();
        }
    }

    @Test
    void aServerThatAnswersOtherwiseFailsTheReplay() throws Exception {
        RecordedHandshake wrong = new RecordedHandshake(
                "wrong", List.of("> {\"id\": 1, \"method\": \"mining.subscribe\"}", "< 1 unsupported"));
        try (StratumTestClient miner = pool.connect()) {
            assertThatThrownBy(() -> wrong.replay(miner, WorkedExample.USER))
                    .isInstanceOf(java.io.IOException.class)
                    .hasMessageContaining("wrong: expected 1 unsupported");
        }
    }

    @Test
    void aMarketsFirstDifficultyIsTheListenersFloorAndComesBeforeTheJob() throws Exception {
        int port = pool.server.port("highdiff").orElseThrow();
        try (StratumTestClient market = StratumTestClient.connect(port)) {
            String answer = market.request("mining.subscribe", "[\"NiceHash/1.0.0\"]");
            assertThat(answer).endsWith("\", 8], \"error\": null}");
            market.request("mining.authorize", "[\"" + WorkedExample.ADDRESS + ".nh\", \"x\"]");
            assertThat(market.nextJob().difficultyText()).isEqualTo("500000");
        }
    }

    @Test
    void subscribeAndAuthorizeInOneSegmentGiveTheDifficultyBeforeTheJob() throws Exception {
        logins(50);
    }

    @Test
    @Tag("soak")
    void aThousandLoginsInOneSegmentGiveTheDifficultyBeforeTheJob() throws Exception {
        logins(1000);
    }

    private static void logins(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            try (StratumTestClient miner = pool.connect()) {
                miner.sendRaw(("{\"id\":1,\"method\":\"mining.subscribe\",\"params\":[]}\n{\"id\":2,\"method\":"
                                + "\"mining.authorize\",\"params\":[\"" + WorkedExample.USER + "\",\"x\"]}\n")
                        .getBytes(java.nio.charset.StandardCharsets.UTF_8));
                List<String> lines = List.of(miner.readLine(), miner.readLine(), miner.readLine(), miner.readLine());
                assertThat(lines.get(0)).startsWith("{\"id\": 1,");
                assertThat(lines.get(1)).startsWith("{\"id\": 2,");
                assertThat(lines.get(2)).contains("mining.set_difficulty");
                assertThat(lines.get(3)).contains("mining.notify");
            }
        }
    }
}
