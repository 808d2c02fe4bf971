package org.prismpool.app.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.BundleVariables;
import org.prismpool.config.variable.DifficultyVariables;
import org.prismpool.config.variable.HttpVariables;
import org.prismpool.config.variable.StratumVariables;
import org.prismpool.lifecycle.time.MonotonicClock;

/** Rows about a running coordinator as miners, probes and operators reach it. Source: spec 01 §6.3. */
final class CoordinatorChecks {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration CONNECT = Duration.ofSeconds(3);
    private static final Duration HANDSHAKE = Duration.ofSeconds(10);
    private static final String USER = "prism-self-check";

    private final Environment e;
    private final Map<String, String> texts;
    private final Prelaunch prelaunch;
    private final Duration longest;
    private final MonotonicClock clock;

    CoordinatorChecks(
            Environment e, Map<String, String> texts, Prelaunch prelaunch, Duration longest, MonotonicClock clock) {
        this.e = e;
        this.texts = texts;
        this.prelaunch = prelaunch;
        this.longest = longest;
        this.clock = clock;
    }

    List<CheckRow> rows() throws InterruptedException {
        List<CheckRow> rows = new ArrayList<>();
        stratum(rows);
        highDiff(rows);
        health(rows);
        e.find(HttpVariables.AUDIT_DIR).ifPresent(directory -> rows.add(writable(Path.of(directory))));
        return rows;
    }

    private void stratum(List<CheckRow> rows) {
        Optional<PublishedPort> at = Optional.ofNullable(texts.get("PRISM_STRATUM_PORT_HOST"))
                .map(PublishedPort::parse)
                .orElseGet(() -> e.find(StratumVariables.STRATUM_PORT)
                        .map(port -> new PublishedPort(e.get(StratumVariables.STRATUM_BIND), port)));
        if (at.isEmpty()) {
            rows.add(CheckRow.fail("stratum.port", "PRISM_STRATUM_PORT_HOST is no port"));
            return;
        }
        rows.add(CheckRow.pass("stratum.port", at.get().toString()));
        rows.add(reach("stratum.tcp", at.get()));
    }

    private void highDiff(List<CheckRow> rows) {
        Optional<Integer> port = e.find(DifficultyVariables.STRATUM_HIGHDIFF_PORT);
        if (port.isEmpty()) {
            return;
        }
        // Packaging always gives the name, empty for "not published"; elsewhere the bound address is the public one.
        Optional<PublishedPort> at = Optional.ofNullable(texts.get("PRISM_STRATUM_HIGHDIFF_PORT_HOST"))
                .map(PublishedPort::parse)
                .orElseGet(() ->
                        Optional.of(new PublishedPort(e.get(DifficultyVariables.STRATUM_HIGHDIFF_BIND), port.get())));
        if (at.isEmpty()) {
            rows.add(CheckRow.fail("stratum.highdiff_port", "the high-difficulty port is set and not published"));
            return;
        }
        rows.add(CheckRow.pass("stratum.highdiff_port", at.get().toString()));
        CheckRow reached = reach("stratum.highdiff_tcp", at.get());
        rows.add(reached);
        if (reached.level() == CheckRow.Level.PASS) {
            rows.add(floor(at.get()));
        }
    }

    private CheckRow floor(PublishedPort at) {
        BigDecimal least = e.get(DifficultyVariables.STRATUM_HIGHDIFF_MIN_DIFF);
        String user = e.find(StratumVariables.USERNAME_FALLBACK_ADDRESS).orElse(USER);
        HighDiffProbe.Seen seen = new HighDiffProbe(within(HANDSHAKE), clock).ask(at, user);
        String id = "stratum.highdiff_floor";
        if (seen.refused().isPresent()) {
            return CheckRow.fail(id, seen.refused().get());
        }
        return seen.difficulty()
                .map(first -> CheckRow.judged(
                        first.compareTo(least) >= 0,
                        id,
                        "first difficulty " + first.toPlainString() + ", floor " + least.toPlainString()))
                .orElseGet(() -> prelaunch.notYet(id, "no difficulty before the connection was closed or silent"));
    }

    private CheckRow reach(String id, PublishedPort at) {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(at.connectHost(), at.port()),
                    Math.toIntExact(within(CONNECT).toMillis()));
            return CheckRow.pass(id, "reachable");
        } catch (IOException refused) {
            return CheckRow.fail(id, at + " cannot be reached: " + refused.getMessage());
        }
    }

    private void health(List<CheckRow> rows) throws InterruptedException {
        Optional<String> bind = e.find(HttpVariables.AUDIT_BIND).filter(host -> !host.isEmpty());
        int port = e.find(HttpVariables.AUDIT_PORT).orElse(0);
        if (bind.isEmpty() || port == 0) {
            return;
        }
        PublishedPort at = new PublishedPort(bind.get(), port);
        Optional<JsonNode> body = ask(new PublishedPort(at.connectHost(), port));
        if (body.isEmpty()) {
            rows.add(CheckRow.fail("coordinator.healthz", "no health document at " + at));
            return;
        }
        JsonNode health = body.get();
        boolean ok = health.path("ok").asBoolean(false);
        rows.add(CheckRow.judged(
                ok,
                "coordinator.healthz",
                ok
                        ? "accepted shares "
                                + health.path("accepted_share_count").asText() + ", connections "
                                + health.path("active_connections").asText()
                        : "not ok: " + reason(health)));
        int needed = e.get(BundleVariables.MIN_READY_MINERS);
        int ready = health.path("ready_miner_count").asInt(0);
        String detail = ready + "/" + needed;
        rows.add(
                ready >= needed
                        ? CheckRow.pass("coordinator.ready_miners", detail)
                        : prelaunch.notYet("coordinator.ready_miners", detail));
    }

    private static String reason(JsonNode health) {
        for (String name : List.of("reason", "error", "state")) {
            if (health.hasNonNull(name)) {
                return health.get(name).asText();
            }
        }
        return health.path("unhealthy_reasons").toString();
    }

    private Optional<JsonNode> ask(PublishedPort at) throws InterruptedException {
        Duration limit = within(CONNECT);
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + at + "/healthz"))
                .timeout(limit)
                .build();
        HttpClient client = HttpClient.newBuilder().connectTimeout(limit).build();
        try {
            // The request's own limit ends at the headers; this one covers the body too.
            String body = client.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                    .get(limit.toNanos(), TimeUnit.NANOSECONDS)
                    .body();
            JsonNode document = JSON.readTree(body);
            return document.isObject() ? Optional.of(document) : Optional.empty();
        } catch (ExecutionException | TimeoutException | IOException unreadable) {
            return Optional.empty();
        }
    }

    /** The folder, or the first existing one above it, where it will be made. */
    private static CheckRow writable(Path directory) {
        Path existing = directory.toAbsolutePath().normalize();
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        try {
            Path probe = Files.createTempFile(existing, ".prism-check-", ".tmp");
            Files.delete(probe);
            return CheckRow.pass("audit.writable", existing.toString());
        } catch (IOException refused) {
            return CheckRow.fail("audit.writable", "no file can be made and deleted in " + existing);
        }
    }

    private Duration within(Duration usual) {
        return usual.compareTo(longest) < 0 ? usual : longest;
    }
}
