package org.prismpool.app.chaos;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Sha256d;

/** A Stratum miner that does what a test says: takes jobs, finds a block on one, submits it when told to. */
final class TestMiner implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HexFormat HEX = HexFormat.of();

    private final Socket socket;
    private final String username;
    private final Thread reader;
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final List<Job> jobs = new ArrayList<>(); // guarded by itself
    private volatile String extranonce1 = "";
    private volatile int extranonce2Size;
    private int lastId = 100;
    private long searched;

    /** One notify. */
    record Job(
            String id,
            Hash256 parent,
            String coinb1,
            String coinb2,
            List<String> branch,
            int version,
            int bits,
            int ntime,
            boolean clean,
            long arrivedNanos) {

        static Job of(JsonNode params) {
            List<String> branch = new ArrayList<>();
            params.get(4).forEach(sibling -> branch.add(sibling.asText()));
            return new Job(
                    params.get(0).asText(),
                    Hash256.ofInternal(wordsReversed(HEX.parseHex(params.get(1).asText()))),
                    params.get(2).asText(),
                    params.get(3).asText(),
                    branch,
                    Integer.parseUnsignedInt(params.get(5).asText(), 16),
                    Integer.parseUnsignedInt(params.get(6).asText(), 16),
                    Integer.parseUnsignedInt(params.get(7).asText(), 16),
                    params.get(8).asBoolean(),
                    System.nanoTime());
        }

        private static byte[] wordsReversed(byte[] bytes) {
            byte[] reversed = new byte[bytes.length];
            for (int i = 0; i < bytes.length; i++) {
                reversed[i] = bytes[i / 4 * 4 + 3 - i % 4];
            }
            return reversed;
        }
    }

    /** A block that was found and not submitted yet. */
    record Solve(Hash256 hash, Job job, String extranonce2, int nonce) {}

    TestMiner(int port, String username) throws IOException {
        this.username = username;
        this.socket = new Socket("127.0.0.1", port);
        socket.setTcpNoDelay(true);
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        this.reader = new Thread(() -> read(lines), "test-miner");
        reader.start();
        JsonNode subscribed = join(call(1, "mining.subscribe", "\"test/1\""));
        extranonce1 = subscribed.at("/result/1").asText();
        extranonce2Size = subscribed.at("/result/2").asInt();
        join(call(2, "mining.authorize", "\"" + username + "\", \"x\""));
    }

    private void read(BufferedReader lines) {
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode message = JSON.readTree(line);
                if (message.path("method").asText().equals("mining.notify")) {
                    synchronized (jobs) {
                        jobs.add(Job.of(message.get("params")));
                    }
                } else if (message.path("id").isInt()) {
                    Optional.ofNullable(answers.remove(message.get("id").asInt()))
                            .ifPresent(answer -> answer.complete(message));
                }
            }
        } catch (IOException closed) {
            // the pool or the test closed the connection: answers that are missing fail below
        }
        answers.values().forEach(answer -> answer.completeExceptionally(new IOException("connection closed")));
    }

    private CompletableFuture<JsonNode> call(int id, String method, String params) {
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        answers.put(id, answer);
        String line = "{\"id\": " + id + ", \"method\": \"" + method + "\", \"params\": [" + params + "]}\n";
        try {
            socket.getOutputStream().write(line.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return answer;
    }

    private static JsonNode join(CompletableFuture<JsonNode> answer) {
        return answer.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }

    /** Waits for a job that fits, the newest first. */
    Job awaitJob(String what, Predicate<Job> fits) {
        await(what)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> newest(fits).isPresent());
        return newest(fits).orElseThrow();
    }

    Job awaitJobOn(Hash256 parent) {
        return awaitJob("job on " + parent.displayHex(), job -> job.parent().equals(parent));
    }

    private Optional<Job> newest(Predicate<Job> fits) {
        synchronized (jobs) {
            for (int i = jobs.size() - 1; i >= 0; i--) {
                if (fits.test(jobs.get(i))) {
                    return Optional.of(jobs.get(i));
                }
            }
            return Optional.empty();
        }
    }

    /** When the first job on a parent came. */
    long firstJobNanos(Hash256 parent) {
        synchronized (jobs) {
            return jobs.stream()
                    .filter(job -> job.parent().equals(parent))
                    .findFirst()
                    .orElseThrow()
                    .arrivedNanos();
        }
    }

    /** Searches a nonce until the header meets the network's target. */
    Solve solve(Job job) {
        String extranonce2 = String.format("%0" + 2 * extranonce2Size + "x", ++searched);
        byte[] root = Sha256d.digest(HEX.parseHex(job.coinb1() + extranonce1 + extranonce2 + job.coinb2()));
        for (String sibling : job.branch()) {
            root = Sha256d.digest(root, HEX.parseHex(sibling));
        }
        ByteBuffer header = ByteBuffer.allocate(80).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(job.version()).put(job.parent().internalBytes()).put(root);
        header.putInt(job.ntime()).putInt(job.bits());
        BigInteger target = target(job.bits());
        for (int nonce = 0; ; nonce++) {
            header.putInt(76, nonce);
            Hash256 hash = Sha256d.hash(header.array());
            if (new BigInteger(hash.displayHex(), 16).compareTo(target) <= 0) {
                return new Solve(hash, job, extranonce2, nonce);
            }
        }
    }

    private static BigInteger target(int bits) {
        return BigInteger.valueOf(bits & 0x7fffff).shiftLeft(8 * ((bits >>> 24) - 3));
    }

    CompletableFuture<JsonNode> submit(Solve solve) {
        return submit(username, solve);
    }

    private CompletableFuture<JsonNode> submit(String name, Solve solve) {
        String params = String.format(
                "\"%s\", \"%s\", \"%s\", \"%08x\", \"%08x\"",
                name, solve.job().id(), solve.extranonce2(), solve.job().ntime(), solve.nonce());
        return call(++lastId, "mining.submit", params);
    }

    /** Submits and waits for the answer. */
    JsonNode submitted(Solve solve) {
        return join(submit(solve));
    }

    /** Submits under a name that this connection has not authorized. */
    JsonNode submittedAs(String name, Solve solve) {
        return join(submit(name, solve));
    }

    String extranonce1() {
        return extranonce1;
    }

    String shareId(Solve solve) {
        return username + ":" + solve.hash().displayHex();
    }

    @Override
    public void close() {
        try {
            socket.close();
            reader.join(PATIENCE.toMillis());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
