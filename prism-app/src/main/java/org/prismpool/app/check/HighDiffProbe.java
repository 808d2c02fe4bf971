package org.prismpool.app.check;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;

/** Logs in as a miner and waits for the first difficulty. Blocks within its limit. Source: spec 01 §6.3. */
final class HighDiffProbe {

    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    private static final int MOST_LINES = 1000;

    private final Duration limit;
    private final MonotonicClock clock;

    HighDiffProbe(Duration limit, MonotonicClock clock) {
        this.limit = limit;
        this.clock = clock;
    }

    /**
     * What was seen.
     *
     * @param difficulty first difficulty, empty if none came
     * @param refused why the login failed, empty if it did not
     */
    record Seen(Optional<BigDecimal> difficulty, Optional<String> refused) {}

    Seen ask(PublishedPort at, String username) {
        Deadline deadline = Deadline.after(limit, clock, "high-difficulty handshake");
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(at.connectHost(), at.port()), millis(deadline));
            String user = JSON.writeValueAsString(username);
            String login = "{\"id\":1,\"method\":\"mining.subscribe\",\"params\":[\"prism-self-check/1\"]}\n"
                    + "{\"id\":2,\"method\":\"mining.authorize\",\"params\":[" + user + ",\"x\"]}\n";
            socket.getOutputStream().write(login.getBytes(StandardCharsets.UTF_8));
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            return read(socket, lines, deadline);
        } catch (IOException closedOrSilent) {
            return new Seen(Optional.empty(), Optional.empty());
        }
    }

    private static Seen read(Socket socket, BufferedReader lines, Deadline deadline) throws IOException {
        for (int i = 0; i < MOST_LINES && !deadline.expired(); i++) {
            socket.setSoTimeout(millis(deadline));
            String line = lines.readLine();
            if (line == null) {
                break;
            }
            JsonNode message = parse(line);
            if (message.path("id").asInt() == 2
                    && (message.hasNonNull("error")
                            || message.path("result")
                                    .equals(JSON.getNodeFactory().booleanNode(false)))) {
                return new Seen(Optional.empty(), Optional.of("authorize was refused"));
            }
            JsonNode difficulty = message.path("params").path(0);
            if (message.path("method").asText().equals("mining.set_difficulty") && difficulty.isNumber()) {
                return new Seen(Optional.of(difficulty.decimalValue()), Optional.empty());
            }
        }
        return new Seen(Optional.empty(), Optional.empty());
    }

    private static JsonNode parse(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException noMessage) {
            return JSON.getNodeFactory().missingNode();
        }
    }

    private static int millis(Deadline deadline) {
        return Math.toIntExact(
                Math.max(1, Duration.ofNanos(deadline.remainingNanos()).toMillis()));
    }
}
