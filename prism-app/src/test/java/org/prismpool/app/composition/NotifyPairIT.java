package org.prismpool.app.composition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.app.bench.jobs.MeasuredPool;
import org.prismpool.app.bench.jobs.SyntheticShares;
import org.prismpool.app.composition.backend.Backends;

/** Difficulty and job are one write on a real socket, whatever else the connection is told meanwhile: spec 07 A37, S9. */
@Timeout(120)
class NotifyPairIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int TIPS = 12;
    private static final String ASK =
            "{\"id\": 9, \"method\": \"mining.configure\", \"params\": [[\"version-rolling\"],"
                    + " {\"version-rolling.mask\": \"1fffe000\"}]}\n";

    @TempDir
    private Path directory;

    @Test
    void noAnswerComesBetweenTheDifficultyAndItsJobAndBothAreFullySerialized() throws Exception {
        Backends shares = new Backends(
                ledger -> {
                    SyntheticShares.append(ledger.shares(), 50, 2, System.currentTimeMillis());
                    return ledger;
                },
                UnaryOperator.identity());
        try (MeasuredPool pool =
                MeasuredPool.open(directory, Map.of("PRISM_STRATUM_VARDIFF", "0"), shares, PoolEvents.NONE)) {
            pool.start();
            List<String> lines = new CopyOnWriteArrayList<>();
            CompletableFuture<Void> reading;
            try (Socket socket = new Socket("127.0.0.1", pool.stratumPort())) {
                reading = CompletableFuture.runAsync(() -> readAll(socket, lines), NotifyPairIT::onThreadOfItsOwn);
                OutputStream out = socket.getOutputStream();
                out.write(login());
                for (int tip = 0; tip <= TIPS; tip++) {
                    int jobs = tip + 1;
                    await("job " + jobs)
                            .atMost(SOON)
                            .pollInterval(Duration.ofMillis(1))
                            .until(() -> {
                                out.write(ASK.repeat(20).getBytes(StandardCharsets.US_ASCII));
                                return notifies(lines) >= jobs;
                            });
                    pool.node().control().mine(1);
                }
            }
            reading.get();

            List<Integer> pairs = new ArrayList<>();
            for (int at = 0; at < lines.size(); at++) {
                if (lines.get(at).contains("\"mining.notify\"")) {
                    pairs.add(at);
                    assertThat(lines.get(at - 1)).contains("\"mining.set_difficulty\"");
                    assertThat(lines.get(at)).isEqualTo(serialized(JSON.readTree(lines.get(at))));
                }
            }
            assertThat(pairs).hasSizeGreaterThanOrEqualTo(TIPS);
            assertThat(lines.stream().filter(line -> line.contains("\"id\": 9") || line.contains("\"id\":9")))
                    .as("answers between the pairs")
                    .hasSizeGreaterThan(TIPS);
        }
    }

    private static long notifies(List<String> lines) {
        return lines.stream().filter(line -> line.contains("\"mining.notify\"")).count();
    }

    private static byte[] login() {
        String user = SyntheticShares.miner(0).text() + ".pair";
        return ("{\"id\": 1, \"method\": \"mining.subscribe\", \"params\": [\"test/1\"]}\n"
                        + "{\"id\": 2, \"method\": \"mining.authorize\", \"params\": [\"" + user + "\", \"x\"]}\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static void readAll(Socket socket, List<String> lines) {
        try {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
        } catch (SocketException closed) {
            assertThat(socket.isClosed()).as("the test closed it").isTrue();
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void onThreadOfItsOwn(Runnable task) {
        Thread thread = new Thread(task, "test-reader");
        thread.setDaemon(true);
        thread.start();
    }

    /** The contract's form: members and elements apart by a comma and a blank, names and values by a colon and a blank. */
    private static String serialized(JsonNode node) {
        if (node.isObject()) {
            List<String> members = new ArrayList<>();
            node.properties()
                    .forEach(member -> members.add("\"" + member.getKey() + "\": " + serialized(member.getValue())));
            return "{" + String.join(", ", members) + "}";
        }
        if (node.isArray()) {
            return "["
                    + String.join(
                            ", ",
                            StreamSupport.stream(node.spliterator(), false)
                                    .map(NotifyPairIT::serialized)
                                    .toList())
                    + "]";
        }
        return node.toString();
    }
}
