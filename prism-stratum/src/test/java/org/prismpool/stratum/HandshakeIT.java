package org.prismpool.stratum;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.prismpool.stratum.testing.MinerJob;
import org.prismpool.stratum.testing.StratumTestClient;

/**
 * Handshakes as firmware and marketplaces send them (spec 02 §10). In the files {@code >} is sent, {@code <} names the id of
 * the next response and a part of it, {@code job} waits for an update.
 */
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

    static Stream<Path> handshakes() throws Exception {
        return Files.list(Path.of("src/test/resources/handshakes")).sorted();
    }

    @ParameterizedTest
    @MethodSource("handshakes")
    void theFirmwaresHandshakeLeadsToAShare(Path file) throws Exception {
        String user =
                WorkedExample.ADDRESS + "." + file.getFileName().toString().replace(".txt", "");
        try (StratumTestClient miner = pool.connect()) {
            Optional<MinerJob> job = Optional.empty();
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith("> ")) {
                    miner.sendRaw((filled(line.substring(2), user, job) + "\n")
                            .getBytes(java.nio.charset.StandardCharsets.UTF_8));
                } else if (line.startsWith("< ")) {
                    expect(miner.nextResponse(), line.substring(2));
                } else if (line.equals("job")) {
                    job = Optional.of(newestJob(miner));
                }
            }
        }
    }

    private static MinerJob newestJob(StratumTestClient miner) throws Exception {
        MinerJob job = miner.nextJob();
        assertThat(job.prevhash()).hasSize(64);
        assertThat(job.branch()).allMatch(sibling -> sibling.length() == 64);
        assertThat(job.difficulty()).isPositive();
        return job;
    }

    private static String filled(String line, String user, Optional<MinerJob> job) {
        return line.replace("\\r", "\r")
                .replace("$USER", user)
                .replace("$JOB", job.map(MinerJob::jobId).orElse(""))
                .replace("$TIME", job.map(MinerJob::ntime).orElse(""))
                .replace("$NONCE", "0badcafe");
    }

    /** The end of the expectation is a part of the answer; {@code share} is any verdict on a well-formed share. */
    private static void expect(String answer, String expected) {
        if (expected.endsWith(" share")) {
            String id = expected.substring(0, expected.length() - " share".length());
            assertThat(answer).startsWith("{\"id\": " + id + ",");
            assertThat(answer).matches(".*(\"result\": true|low-difficulty).*");
            return;
        }
        int space = expected.startsWith("{") ? expected.indexOf("} ") + 1 : expected.indexOf(' ');
        assertThat(answer).startsWith("{\"id\": " + expected.substring(0, space) + ",");
        assertThat(answer).contains(expected.substring(space + 1));
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
        for (int i = 0; i < 50; i++) {
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
