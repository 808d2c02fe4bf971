package org.prismpool.app.demo.miner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.prismpool.templates.chain.BlockHeader;
import org.prismpool.templates.chain.Difficulty;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.MerkleBranch;
import org.prismpool.templates.chain.Sha256d;
import org.prismpool.templates.chain.Target;

@Timeout(60)
class CpuMinerIT {

    private static final String USER = "qbrt1z42424242424242424242424242424242424242424242424242424q3e5g4k.rig1";
    private static final String COINBASE_START =
            "02000000010000000000000000000000000000000000000000000000000000000000000000ffffffff160290002f505249534d2f";
    private static final String COINBASE_END =
            "feffffff0200f2052a01000000225220aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa0000000000000000"
                    + "266a24aa21a9ed99cba7078d342977081212052c308215101d65a56682b78bb35cbd42cd3e11058f000000";
    private static final String SIBLING = "deff02385ec97068e15c0cdc8b35bc4418e00b72370587699787648979aa6b56";
    private static final String PARENT = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    private static final String NOTIFY_PARENT = "1c1d1e1f18191a1b14151617101112130c0d0e0f08090a0b0405060700010203";
    private static final String EASY = "0.0000001";

    @Test
    void theHandshakeIsSequentialAndEverySubmittedShareMeetsItsTarget() throws Exception {
        try (ScriptedPool pool = new ScriptedPool(request -> answer(request, true, job("a", "1d00ffff", true)));
                CpuMiner miner = new CpuMiner(config(pool).withThreads(2))) {
            miner.start();
            await().until(() -> miner.stats().accepted() >= 20);

            assertThat(pool.methods()).startsWith("mining.configure", "mining.subscribe", "mining.authorize");
            assertThat(pool.requests("mining.authorize")
                            .get(0)
                            .path("params")
                            .get(0)
                            .asText())
                    .isEqualTo(USER);
            for (JsonNode submit : pool.requests("mining.submit")) {
                assertThat(target(EASY).isMetBy(hash(submit.path("params")))).isTrue();
            }
            assertThat(miner.stats().connected()).isTrue();
            assertThat(miner.stats().difficulty()).isEqualByComparingTo(EASY);
            assertThat(miner.stats().hashes()).isPositive();
        }
    }

    @Test
    void rejectionsAreCountedByReason() throws Exception {
        AtomicInteger count = new AtomicInteger();
        List<String> errors = List.of(
                "[21,\"stale job\",{\"reason_id\":\"stale-job\"}]", "[20,\"other words\",null]", "\"text only\"");
        try (ScriptedPool pool = new ScriptedPool(
                        request -> request.path("method").asText().equals("mining.submit")
                                ? List.of("{\"id\":" + request.path("id") + ",\"result\":null,\"error\":"
                                        + errors.get(count.getAndIncrement() % errors.size()) + "}")
                                : answer(request, true, job("a", "1d00ffff", true)));
                CpuMiner miner = new CpuMiner(config(pool))) {
            miner.start();
            await().until(() -> miner.stats().rejectedTotal() >= 3);

            assertThat(miner.stats().rejected()).containsKeys("stale-job", "other words", "unknown");
            assertThat(miner.stats().accepted()).isZero();
        }
    }

    @Test
    void aCleanJobEndsWorkOnTheOneBefore() throws Exception {
        try (ScriptedPool pool = new ScriptedPool(request -> answer(request, true, job("old", "1d00ffff", true)));
                CpuMiner miner = new CpuMiner(config(pool))) {
            miner.start();
            await().until(() -> miner.stats().accepted() >= 3);

            pool.send(job("new", "1d00ffff", true));
            await().until(() -> lastJob(pool).equals("new"));
            int before = pool.requests("mining.submit").size();
            await().until(() -> pool.requests("mining.submit").size() >= before + 5);

            assertThat(pool.requests("mining.submit").subList(before, before + 5))
                    .allMatch(submit -> submit.path("params").get(1).asText().equals("new"));
            assertThat(miner.stats().jobs()).isEqualTo(2);
        }
    }

    @Test
    void aNewDifficultyHoldsFromTheNextJobOn() throws Exception {
        try (ScriptedPool pool = new ScriptedPool(request -> answer(request, true, job("a", "1d00ffff", true)));
                CpuMiner miner = new CpuMiner(config(pool))) {
            miner.start();
            await().until(() -> miner.stats().accepted() >= 1);

            pool.send("{\"id\":null,\"method\":\"mining.set_difficulty\",\"params\":[0.0000002]}");
            pool.send(job("b", "1d00ffff", false));
            await().until(() -> lastJob(pool).equals("b"));

            assertThat(miner.stats().difficulty()).isEqualByComparingTo("0.0000002");
            assertThat(pool.requests("mining.submit").stream()
                            .filter(submit ->
                                    submit.path("params").get(1).asText().equals("b")))
                    .allMatch(submit -> target("0.0000002").isMetBy(hash(submit.path("params"))));
        }
    }

    @Test
    void withoutVersionRollingTheSixthParameterIsLeftOut() throws Exception {
        try (ScriptedPool pool = new ScriptedPool(request -> answer(request, false, job("a", "1d00ffff", true)));
                CpuMiner miner = new CpuMiner(config(pool))) {
            miner.start();
            await().until(() -> miner.stats().accepted() >= 1);

            assertThat(pool.requests("mining.submit").get(0).path("params")).hasSize(5);
        }
    }

    @Test
    void itComesBackAfterALostConnectionAndCountsWhatWasNeverAnswered() throws Exception {
        try (ScriptedPool pool = new ScriptedPool(
                        request -> request.path("method").asText().equals("mining.submit")
                                ? List.of()
                                : answer(request, true, job("a", "1d00ffff", true)));
                CpuMiner miner = new CpuMiner(config(pool))) {
            miner.start();
            await().until(() -> miner.stats().submitted() >= 16);

            pool.dropConnection();
            await().until(() ->
                    miner.stats().connections() >= 2 && miner.stats().connected());

            assertThat(miner.stats().unanswered()).isEqualTo(16);
            assertThat(miner.stats().lastFailure()).isPresent();
        }
    }

    @Test
    void anOverdueAnswerEndsTheConnection() throws Exception {
        try (ScriptedPool pool = new ScriptedPool(request -> List.of());
                CpuMiner miner = new CpuMiner(config(pool).withAnswerTimeout(Duration.ofMillis(200)))) {
            miner.start();

            await().until(() -> miner.stats().connections() >= 2);
            assertThat(miner.stats().lastFailure())
                    .hasValueSatisfying(why -> assertThat(why).contains("CONFIGURE"));
        }
    }

    @Test
    void aRefusedAuthorizationIsTriedAgain() throws Exception {
        try (ScriptedPool pool = new ScriptedPool(
                        request -> request.path("method").asText().equals("mining.authorize")
                                ? List.of("{\"id\":" + request.path("id")
                                        + ",\"result\":null,\"error\":[20,\"username base is empty\",null]}")
                                : answer(request, true, ""));
                CpuMiner miner = new CpuMiner(config(pool))) {
            miner.start();

            await().until(() -> miner.stats().connections() >= 2);
            assertThat(miner.stats().connected()).isFalse();
            assertThat(miner.stats().lastFailure())
                    .hasValueSatisfying(why -> assertThat(why).contains("username base is empty"));
        }
    }

    @Test
    void closingJoinsEveryThreadQuickly() throws Exception {
        try (ScriptedPool pool = new ScriptedPool(request -> answer(request, true, job("a", "1d00ffff", true)))) {
            CpuMiner miner = new CpuMiner(config(pool).withThreads(2));
            miner.start();
            await().until(() -> miner.stats().accepted() >= 1);

            long start = System.nanoTime();
            miner.close();

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().startsWith("prism-demo-miner-rig1"));
        }
    }

    @Test
    void theHashRateLimitHolds() throws Exception {
        try (ScriptedPool pool = new ScriptedPool(request -> answer(request, true, job("a", "1d00ffff", true)));
                CpuMiner miner = new CpuMiner(config(pool).withHashesPerSecondLimit(2_000))) {
            long start = System.nanoTime();
            miner.start();
            await().until(() -> miner.stats().hashes() >= 1_000);
            double seconds = (System.nanoTime() - start) / 1e9;

            assertThat(seconds).isGreaterThan(0.3);
        }
    }

    private static CpuMinerConfig config(ScriptedPool pool) {
        return CpuMinerConfig.forPool("127.0.0.1", pool.port(), USER)
                .withReconnectDelays(Duration.ofMillis(10), Duration.ofMillis(50));
    }

    private static String lastJob(ScriptedPool pool) {
        List<JsonNode> submits = pool.requests("mining.submit");
        return submits.isEmpty()
                ? ""
                : submits.get(submits.size() - 1).path("params").get(1).asText();
    }

    private static List<String> answer(JsonNode request, boolean rolling, String job) {
        String head = "{\"id\":" + request.path("id") + ",\"error\":null,\"result\":";
        return switch (request.path("method").asText()) {
            case "mining.configure" ->
                List.of(head
                        + (rolling
                                ? "{\"version-rolling\":true,\"version-rolling.mask\":\"1fffe000\"}}"
                                : "{\"version-rolling\":false,\"version-rolling.mask\":\"00000000\"}}"));
            case "mining.subscribe" -> List.of(head + "[[],\"0000002a\",8]}");
            case "mining.authorize" ->
                List.of(
                        head + "true}",
                        "{\"id\":null,\"method\":\"mining.set_difficulty\",\"params\":[" + EASY + "]}",
                        job);
            default -> List.of(head + "true}");
        };
    }

    private static String job(String id, String bits, boolean clean) {
        return "{\"id\":null,\"method\":\"mining.notify\",\"params\":[\"" + id + "\",\"" + NOTIFY_PARENT + "\",\""
                + COINBASE_START + "\",\"" + COINBASE_END + "\",[\"" + SIBLING + "\"],\"20000000\",\"" + bits
                + "\",\"6553f105\"," + clean + "]}";
    }

    private static Target target(String difficulty) {
        return Difficulty.of(difficulty).toTarget();
    }

    /** The pool's own way to the hash, over the chain vocabulary that the miner does not use. */
    private static Hash256 hash(JsonNode params) {
        HexFormat hex = HexFormat.of();
        byte[] coinbase =
                hex.parseHex(COINBASE_START + "0000002a" + params.get(2).asText() + COINBASE_END);
        Hash256 root = new MerkleBranch(List.of(Hash256.ofInternalHex(SIBLING))).fold(Sha256d.hash(coinbase));
        int bits = params.size() > 5 ? Integer.parseUnsignedInt(params.get(5).asText(), 16) : 0;
        assertThat(bits & ~0x1fffe000).isZero();
        return new BlockHeader(
                        0x20000000 | bits,
                        Hash256.ofDisplayHex(PARENT),
                        root,
                        Long.parseLong(params.get(3).asText(), 16),
                        0x1d00ffff,
                        Long.parseLong(params.get(4).asText(), 16))
                .hash();
    }
}
