package org.prismpool.stratum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.prismpool.stratum.codec.RequestParser;
import org.prismpool.stratum.testing.StratumTestClient;

/** Random and mutated bytes on a live port leave heap, threads and descriptors flat, and other sessions unaffected. */
class FuzzIT {

    private static final Duration SHORT = Duration.ofSeconds(3);
    private static final int PARSED_BESIDE = 20;
    private static final long SOAK_PAUSE_NANOS = 2_000_000; // ten minutes need not take a processor

    private static final String[] SEEDS = {
        "{\"id\":1,\"method\":\"mining.subscribe\",\"params\":[\"x\"]}\n",
        "{\"id\":2,\"method\":\"mining.authorize\",\"params\":[\"" + WorkedExample.USER + "\",\"d=5\"]}\n",
        "{\"id\":3,\"method\":\"mining.configure\",\"params\":[[\"version-rolling\"],{\"version-rolling.mask\":\"ffffffff\"}]}\n",
        "{\"id\":4,\"method\":\"mining.submit\",\"params\":[\"" + WorkedExample.USER
                + "\",\"prism-1\",\"0102030405060708\",\"6553f105\",\"1a2b3c51\",\"00a54000\"]}\n",
        "{\"id\":5,\"method\":\"mining.suggest_difficulty\",\"params\":[1e-9]}\n",
        "\u0016\u0003\u0001",
        "GET / HTTP/1.1\r\n\r\n",
        "PROXY TCP4 203.0.113.7 192.0.2.1 56324 3340\r\n",
        "{\"id\":{\"a\":[1,2.5e3,null,true]},\"method\":\"mining.subscribe\",\"params\":[\"\\u202e\",{}],\"id\":7}\r\n",
        "{\"id\":6,\"method\":\"mining.authorize\",\"params\":[\"\u00e9\u20ac.\ud83d\ude00\",\"d=NaN,md=-1e309\"]}\n",
        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\n",
        "\"\\ud800\"\n",
        "{\"id\":1e999999999,\"method\":\"mining.suggest_difficulty\",\"params\":[1e999999999]}\n",
    };

    @Test
    void threeSecondsOfNoiseChangeNothing() throws Exception {
        noise(SHORT);
    }

    @Test
    @Tag("soak")
    @Timeout(900)
    void tenMinutesOfNoiseChangeNothing() throws Exception {
        noise(Duration.ofMinutes(10));
    }

    private static void noise(Duration length) throws Exception {
        Random random = new Random(20260101);
        try (Pool pool = Pool.started(Pool.config(Pool.listener()));
                StratumTestClient steady = pool.connect()) {
            steady.login(WorkedExample.USER, "x");
            for (int i = 0; i < 200; i++) {
                attack(pool, random);
            }
            await("the first attackers to be gone")
                    .until(() -> pool.server.stats().activeConnections() == 1);
            long threads = threads();
            long descriptors = descriptors();
            long heap = usedHeap();
            long end = System.nanoTime() + length.toNanos();
            RequestParser parser = new RequestParser();
            while (System.nanoTime() < end) {
                attack(pool, random);
                for (int i = 0; i < PARSED_BESIDE; i++) {
                    byte[] line = mutated(random);
                    assertThat(parser.parse(line, 0, line.length).id()).isNotEmpty();
                }
                if (length.compareTo(SHORT) > 0) {
                    java.util.concurrent.locks.LockSupport.parkNanos(SOAK_PAUSE_NANOS);
                }
                assertThat(steady.request("mining.extranonce.subscribe", "[]")).contains("\"result\": true");
            }
            await("all attackers to be gone").until(() -> pool.server.stats().activeConnections() == 1);
            await("no thread more than before").until(() -> threads() <= threads);
            assertThat(descriptors()).isLessThanOrEqualTo(descriptors + 5);
            assertThat(usedHeap() - heap).isLessThan(16L << 20);
            assertThat(pool.metrics.count("disconnected:INTERNAL")).isZero();
            assertThat(pool.metrics.count("internal-error")).isZero();
        }
    }

    private static void attack(Pool pool, Random random) throws IOException {
        try (StratumTestClient attacker = pool.connect()) {
            for (int i = random.nextInt(6); i >= 0; i--) {
                attacker.sendRaw(mutated(random));
            }
        } catch (java.net.SocketException closedByServer) {
            assertThat(closedByServer).hasMessageNotContaining("refused");
        }
    }

    private static byte[] mutated(Random random) {
        if (random.nextInt(4) == 0) {
            byte[] noise = new byte[random.nextInt(2000)];
            random.nextBytes(noise);
            return noise;
        }
        byte[] bytes = SEEDS[random.nextInt(SEEDS.length)].getBytes(StandardCharsets.UTF_8);
        for (int i = random.nextInt(4); i > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    /** Live threads but for the one that awaits. */
    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.getName().startsWith("awaitility"))
                .count();
    }

    private static long descriptors() throws IOException {
        Path open = Path.of("/proc/self/fd");
        if (!Files.isDirectory(open)) {
            return 0;
        }
        try (var files = Files.list(open)) {
            return files.count();
        }
    }

    private static long usedHeap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
