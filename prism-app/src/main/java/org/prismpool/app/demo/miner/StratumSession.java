package org.prismpool.app.demo.miner;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Protocol state of one connection. {@link #receive} and {@link #begin} run on the connection thread; hashing threads
 * call {@link #submit} and {@link #nextUnit}. The handshake is sequential: configure, subscribe, authorize, each after the
 * answer to the one before. The negotiated values are written before the first work is posted and read only through it.
 */
final class StratumSession {

    private static final int LARGEST_IN_FLIGHT = 16;
    private static final int VERSION_ROLLING_REQUEST_BITS = 2;

    private enum Request {
        CONFIGURE,
        SUBSCRIBE,
        AUTHORIZE,
        SUBMIT
    }

    private record Pending(Request request, long sentNanos) {}

    private final CpuMinerConfig config;
    private final ObjectMapper mapper;
    private final MinerCounters counters;
    private final WorkBoard board;
    private final LineSender sender;
    private final Map<Integer, Pending> pending = new ConcurrentHashMap<>();
    private final Semaphore inFlight = new Semaphore(LARGEST_IN_FLIGHT);
    private final AtomicInteger requestIds = new AtomicInteger();
    private final AtomicLong units;

    private volatile String extranonce1 = "";
    private volatile int extranonce2Size;
    private volatile int versionMask;
    private volatile boolean ended;
    private final AtomicInteger cleanJobs = new AtomicInteger();
    private BigDecimal difficulty = BigDecimal.ONE;
    private boolean authorized;

    StratumSession(
            CpuMinerConfig config, ObjectMapper mapper, MinerCounters counters, WorkBoard board, LineSender sender) {
        this.config = config;
        this.mapper = mapper;
        this.counters = counters;
        this.board = board;
        this.sender = sender;
        this.units = new AtomicLong(config.seed());
    }

    String extranonce1() {
        return extranonce1;
    }

    int extranonce2Size() {
        return extranonce2Size;
    }

    int versionMask() {
        return versionMask;
    }

    /** Tells whether the session ended, or a clean job came after this work: its shares could only be refused. */
    boolean isVoid(MiningWork work) {
        return ended || work.cleanJobs() != cleanJobs.get();
    }

    /** Returns the next number of the extranonce2 sequence. */
    long nextUnit() {
        return units.getAndIncrement();
    }

    boolean isAuthorized() {
        return authorized;
    }

    void begin() throws IOException {
        if (!config.versionRolling()) {
            subscribe();
            return;
        }
        ArrayNode params = mapper.createArrayNode();
        params.addArray().add("version-rolling");
        params.addObject()
                .put("version-rolling.mask", "ffffffff")
                .put("version-rolling.min-bit-count", VERSION_ROLLING_REQUEST_BITS);
        send(Request.CONFIGURE, "mining.configure", params);
    }

    /** Handles one line of the pool. */
    void receive(String line) throws IOException {
        if (line.isBlank()) {
            return;
        }
        JsonNode message = mapper.readTree(line);
        String method = message.path("method").asText("");
        if (method.isEmpty()) {
            answered(message);
        } else if (method.equals("mining.set_difficulty")) {
            takeDifficulty(message.path("params").path(0));
        } else if (method.equals("mining.notify")) {
            takeJob(message.path("params"));
        }
    }

    /** Fails when the oldest unanswered request is older than the configured bound. */
    void checkAnswers() throws IOException {
        long now = System.nanoTime();
        long bound = config.answerTimeout().toNanos();
        for (Pending request : pending.values()) {
            if (now - request.sentNanos() > bound) {
                throw new IOException("no answer to " + request.request() + " in time");
            }
        }
    }

    /** Sends one share; waits while {@value #LARGEST_IN_FLIGHT} are unanswered, and drops the share when the session ends. */
    void submit(FoundShare share) throws InterruptedException {
        while (!ended && !inFlight.tryAcquire(50, TimeUnit.MILLISECONDS)) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
        if (ended) {
            return;
        }
        ArrayNode params = mapper.createArrayNode()
                .add(config.username())
                .add(share.job().jobId())
                .add(share.extranonce2Hex())
                .add(eightDigits(share.job().ntime()))
                .add(eightDigits(share.nonce()));
        if (versionMask != 0) {
            params.add(eightDigits(share.versionBits()));
        }
        counters.submitted(share.meetsNetworkTarget());
        try {
            send(Request.SUBMIT, "mining.submit", params);
        } catch (IOException e) {
            sender.fail(e);
        }
    }

    /** Marks the session dead and counts what was never answered. Called once, by the connection thread. */
    void end() {
        ended = true;
        for (Integer id : pending.keySet()) {
            giveUp(id);
        }
    }

    /** Takes a request out once, whether the session's end or a late submit comes first. */
    private void giveUp(int id) {
        Pending request = pending.remove(id);
        if (request != null && request.request() == Request.SUBMIT) {
            counters.unanswered(1);
        }
    }

    private void answered(JsonNode message) throws IOException {
        Pending request =
                message.path("id").isInt() ? pending.remove(message.path("id").asInt()) : null;
        if (request == null) {
            return;
        }
        JsonNode result = message.path("result");
        JsonNode error = message.path("error");
        boolean failed = !error.isMissingNode() && !error.isNull();
        switch (request.request()) {
            case CONFIGURE -> {
                takeMask(result);
                subscribe();
            }
            case SUBSCRIBE -> takeSubscription(result, failed);
            case AUTHORIZE -> takeAuthorization(result, error, failed);
            case SUBMIT -> takeVerdict(result, error, failed);
        }
    }

    private void takeMask(JsonNode result) {
        if (result.path("version-rolling").asBoolean(false)) {
            String mask = result.path("version-rolling.mask").asText("0");
            versionMask = Integer.parseUnsignedInt(mask, 16);
        }
    }

    private void takeSubscription(JsonNode result, boolean failed) throws IOException {
        String prefix = result.path(1).asText("");
        int size = result.path(2).asInt(-1);
        if (failed || !prefix.matches("([0-9a-fA-F]{2}){0,16}") || size < 1 || size > 16) {
            throw new IOException("subscription refused or malformed");
        }
        extranonce1 = prefix;
        extranonce2Size = size;
        ArrayNode params = mapper.createArrayNode().add(config.username()).add(config.password());
        send(Request.AUTHORIZE, "mining.authorize", params);
    }

    private void takeAuthorization(JsonNode result, JsonNode error, boolean failed) throws IOException {
        if (failed || !result.asBoolean(false)) {
            throw new IOException("authorization refused: " + reason(error));
        }
        authorized = true;
        counters.authorized();
    }

    private void takeVerdict(JsonNode result, JsonNode error, boolean failed) {
        inFlight.release();
        if (!failed && result.asBoolean(false)) {
            counters.accepted();
        } else {
            counters.rejected(reason(error));
        }
    }

    private void takeDifficulty(JsonNode value) {
        if (value.isNumber() && HashThreshold.isUsable(value.decimalValue())) {
            difficulty = value.decimalValue();
        }
    }

    private void takeJob(JsonNode params) throws IOException {
        try {
            NotifiedJob job = NotifiedJob.parse(params);
            if (job.clean()) {
                cleanJobs.incrementAndGet();
            }
            MiningWork work = new MiningWork(this, job, difficulty, cleanJobs.get());
            counters.workStarted(difficulty);
            board.post(work);
        } catch (IllegalArgumentException e) {
            throw new IOException("malformed job: " + e.getMessage(), e);
        }
    }

    private void subscribe() throws IOException {
        send(Request.SUBSCRIBE, "mining.subscribe", mapper.createArrayNode().add(config.agent()));
    }

    private void send(Request request, String method, ArrayNode params) throws IOException {
        int id = requestIds.incrementAndGet();
        ObjectNode message = mapper.createObjectNode();
        message.put("id", id).put("method", method).set("params", params);
        String line = mapper.writeValueAsString(message);
        pending.put(id, new Pending(request, System.nanoTime()));
        if (ended) {
            giveUp(id);
        } else {
            sender.send(line);
        }
    }

    private static String reason(JsonNode error) {
        JsonNode id = error.path(2).path("reason_id");
        if (id.isTextual()) {
            return id.asText();
        }
        String text = error.isArray()
                ? error.path(1).asText("")
                : error.path("message").asText("");
        return text.isEmpty() ? "unknown" : text;
    }

    private static String eightDigits(int value) {
        return HexFormat.of().toHexDigits(value);
    }
}
