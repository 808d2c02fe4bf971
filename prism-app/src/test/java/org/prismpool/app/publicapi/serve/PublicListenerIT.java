package org.prismpool.app.publicapi.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.prismpool.app.http.HttpAnswer;
import org.prismpool.app.http.HttpEndpoint;
import org.prismpool.app.http.HttpListener;
import org.prismpool.app.publicapi.AskedModels;
import org.prismpool.app.publicapi.PublicBody;
import org.prismpool.app.publicapi.route.MiningConfiguration;
import org.prismpool.app.testing.TestSettings;
import org.prismpool.config.ConfigReport;
import org.prismpool.config.Environment;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.lifecycle.time.MonotonicClock;

/** The public API over real sockets (spec 08 §7.1, §7.4, A19, A21, A22, A24). */
class PublicListenerIT {

    private static final String SUMMARY = """
            {"generated_at": "2026-06-26T20:45:00Z",
             "network": {"name": "regtest", "height": 1, "tip_hash": "00", "network_difficulty": "1000000", "peers": 0},
             "pool": {"name": "My pool", "hashrate_ths": {"h1": "2.5", "h3": "1", "h24": "0"}, "participants_3h": 1,
               "blocks_found_total": 0, "total_mined_bits": 0, "expected_time_to_block_seconds": null,
               "latest_block": null, "reward_window": {"window_multiplier": 8, "included_share_count": 0}}}
            """;

    private final HttpClient client = HttpClient.newHttpClient();
    private final AskedModels models = new AskedModels();
    private final AtomicInteger limited = new AtomicInteger();
    private Optional<HttpListener> listener = Optional.empty();

    @AfterEach
    void stop() {
        listener.ifPresent(HttpListener::close);
    }

    private PublicSite site(String... settings) {
        Map<String, String> texts = new HashMap<>(TestSettings.memory(1));
        texts.put("PRISM_PUBLIC_API_BIND", "127.0.0.1");
        for (int i = 0; i < settings.length; i += 2) {
            texts.put(settings[i], settings[i + 1]);
        }
        ConfigReport report = PrismConfiguration.loader().load(texts);
        assertThat(report.ok()).as(report.render()).isTrue();
        Environment e = report.environment();
        return new PublicSite(
                e,
                models.all(),
                MiningConfiguration.of(e, Clock.systemUTC()),
                Duration.ofSeconds(20),
                MonotonicClock.system(),
                new PublicSite.Refusals(limited::incrementAndGet, () -> {}));
    }

    private void start(String... settings) throws Exception {
        listener = site(settings).listener(Optional.of(0));
        listener.orElseThrow().start();
    }

    /** The private listener, which has the public paths too. */
    private void startBeside(String... settings) throws Exception {
        HttpEndpoint owed = query ->
                query.segments().equals(List.of("owed")) ? Optional.of(HttpAnswer.json(200, "{}")) : Optional.empty();
        listener = Optional.of(
                new HttpListener("both", "127.0.0.1", 0, site(settings).beside(List.of(owed)), () -> {}));
        listener.orElseThrow().start();
    }

    private HttpResponse<String> send(String method, String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + listener.orElseThrow().port() + path))
                .timeout(Duration.ofSeconds(20))
                .method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void answersWithTheHeadersOfTheContract() throws Exception {
        start();

        HttpResponse<String> answer = send("GET", "/public/v1/blocks/?page=1");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("{\"schema\":\"test\"}\n");
        assertThat(header(answer, "Content-Type")).isEqualTo("application/json");
        assertThat(header(answer, "Content-Length")).isEqualTo("18");
        assertThat(header(answer, "Cache-Control")).isEqualTo("public, max-age=0, must-revalidate");
        assertThat(header(answer, "CDN-Cache-Control")).isEqualTo("public, max-age=5, stale-while-revalidate=30");
        assertThat(header(answer, "Vercel-CDN-Cache-Control"))
                .isEqualTo("public, max-age=5, stale-while-revalidate=30");
        assertThat(header(answer, "Age")).isEqualTo("0");
        assertThat(header(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(header(answer, "Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(header(answer, "Access-Control-Allow-Origin")).isEqualTo("*");
        assertThat(models.asked()).containsExactly("blocks 1/15");
    }

    @Test
    void aHeadHasTheHeadersOfItsGetAndNoBody() throws Exception {
        start();

        HttpResponse<String> answer = send("HEAD", "/public/v1/blocks");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEmpty();
        assertThat(header(answer, "Content-Length")).isEqualTo("18");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH"})
    void otherMethodsAreRefusedInThePublicForm(String method) throws Exception {
        start();

        HttpResponse<String> answer = send(method, "/public/v1/blocks");

        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(header(answer, "Allow")).isEqualTo("GET, HEAD, OPTIONS");
        assertThat(header(answer, "Cache-Control")).isEqualTo("no-store");
        assertThat(answer.body()).contains("\"code\":\"bad_request\"", "prism.dashboard.error.v1");
    }

    @Test
    void aPreflightIsAnsweredWithoutABody() throws Exception {
        start();

        HttpResponse<String> answer = send(
                "OPTIONS",
                "/public/v1/blocks",
                "Origin",
                "https://pool.example",
                "Access-Control-Request-Method",
                "GET");

        assertThat(answer.statusCode()).isEqualTo(204);
        assertThat(header(answer, "Access-Control-Max-Age")).isEqualTo("86400");
        assertThat(header(answer, "Access-Control-Allow-Origin")).isEqualTo("*");
        assertThat(header(answer, "Access-Control-Allow-Methods")).isEqualTo("GET, HEAD, OPTIONS");
        assertThat(answer.headers().firstValue("Content-Type")).isEmpty();
        assertThat(models.asked()).isEmpty();
    }

    @Test
    void onlyAConfiguredOriginMayRead() throws Exception {
        start("PRISM_PUBLIC_CORS_ORIGINS", "https://pool.example,https://other.example");

        HttpResponse<String> known = send("GET", "/public/v1/blocks", "Origin", "https://other.example");
        HttpResponse<String> unknown = send("GET", "/public/v1/blocks", "Origin", "https://evil.example");

        assertThat(header(known, "Access-Control-Allow-Origin")).isEqualTo("https://other.example");
        assertThat(header(known, "Vary")).isEqualTo("Origin");
        assertThat(unknown.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
        assertThat(header(unknown, "Vary")).isEqualTo("Origin");
    }

    @Test
    void withoutOriginsThereAreNoHeadersAndNoPreflight() throws Exception {
        start("PRISM_PUBLIC_CORS_ORIGINS", "");

        assertThat(send("GET", "/public/v1/blocks", "Origin", "https://pool.example")
                        .headers()
                        .map())
                .doesNotContainKeys("access-control-allow-origin", "access-control-expose-headers", "vary");
        HttpResponse<String> preflight = send("OPTIONS", "/public/v1/blocks");
        assertThat(preflight.statusCode()).isEqualTo(405);
        assertThat(header(preflight, "Allow")).isEqualTo("GET, HEAD");
    }

    @Test
    void aClientThatAsksTooOftenIsToldWhenToComeBack() throws Exception {
        start("PRISM_PUBLIC_RATE_LIMIT_PER_SECOND", "0.01", "PRISM_PUBLIC_RATE_LIMIT_BURST", "2");
        send("GET", "/public/v1/blocks");
        send("GET", "/public/v1/none");

        HttpResponse<String> refused = send("GET", "/public/v1/%62locks");

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(Long.parseLong(header(refused, "Retry-After"))).isBetween(1L, 100L);
        assertThat(refused.body()).contains("\"code\":\"rate_limited\"");
        assertThat(header(refused, "Cache-Control")).isEqualTo("no-store");
        assertThat(header(refused, "Access-Control-Allow-Origin")).isEqualTo("*");
        assertThat(limited).hasValue(1);
    }

    @Test
    void thePageIsUnderTheSameLimit() throws Exception {
        start("PRISM_PUBLIC_RATE_LIMIT_PER_SECOND", "0.01", "PRISM_PUBLIC_RATE_LIMIT_BURST", "2");
        send("GET", "/dashboard/page.js");
        send("GET", "/public/v1/blocks");

        HttpResponse<String> refused = send("GET", "/");

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.body()).isEqualTo("{\"error\":\"too many requests from this address\"}\n");
        assertThat(Long.parseLong(header(refused, "Retry-After"))).isBetween(1L, 100L);
        assertThat(limited).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/metrics", "/audit/latest", "/healthz", "/readyz", "/livez", "/owed", "/public", "/public/v2"})
    void theSecondListenerKnowsNothingPrivate(String path) throws Exception {
        start();

        assertThat(send("GET", path).statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/public/v1", "/public/v1/", "/public/v1/miners/a/b/c", "/public/v1/nothing"})
    void anUnknownPublicPathHasThePublicForm(String path) throws Exception {
        start();

        HttpResponse<String> answer = send("GET", path);

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.body())
                .isEqualTo("{\"error\":{\"code\":\"not_found\",\"message\":\"unknown public dashboard endpoint\","
                        + "\"request_id\":null},\"schema\":\"prism.dashboard.error.v1\"}\n");
    }

    @Test
    void anEscapedSlashBelongsToTheRecipient() throws Exception {
        start();

        assertThat(send("GET", "/public/v1/miners/a%2Fb").statusCode()).isEqualTo(200);
        assertThat(models.asked()).containsExactly("miner a/b");
    }

    @Test
    void whatIsMalformedIsRefusedInThePublicForm() throws Exception {
        start();

        assertThat(raw("/public/v1/blocks?page=%zz")).contains("400 Bad Request", "prism.dashboard.error.v1");
        assertThat(send("GET", "/public/v1/blocks?" + "x".repeat(2048)).body())
                .contains("prism.dashboard.error.v1", "URL is too long");
    }

    static List<String> malformedPaths() {
        return List.of(
                "/%zz", "/miners/a%zz", "/miners/a%", "/miners/a%ff", "/miners/a%c3", "/miners/%u0041", "/%2e%2e/x");
    }

    @ParameterizedTest
    @MethodSource("malformedPaths")
    void aMalformedPublicPathIsRefusedInThePublicForm(String path) throws Exception {
        start();
        assertRefusedInThePublicForm(raw("/public/v1" + path));

        listener.orElseThrow().close();
        startBeside();
        assertRefusedInThePublicForm(raw("/public/v1" + path));
        assertThat(raw(path)).startsWith("HTTP/1.1 400 ").contains("{\"error\":\"bad request\"}");
        assertThat(models.asked()).isEmpty();
    }

    /** A connection is used again: what its last request asked for says nothing about one without a target. */
    @Test
    void aRequestThatBreaksOffBeforeItsTargetHasThePrivateForm() throws Exception {
        start();

        String answers = exchange("GET /public/v1/blocks HTTP/1.1\r\nHost: x\r\n\r\n\u0001\r\n\r\n");

        assertThat(answers).startsWith("HTTP/1.1 200 ").endsWith("{\"error\":\"bad request\"}\n");
    }

    private static void assertRefusedInThePublicForm(String answer) {
        assertThat(answer)
                .startsWith("HTTP/1.1 400 ")
                .contains("Cache-Control: no-store", "Access-Control-Allow-Origin: *", "nosniff")
                .endsWith("{\"error\":{\"code\":\"bad_request\",\"message\":\"bad request\",\"request_id\":null},"
                        + "\"schema\":\"prism.dashboard.error.v1\"}\n");
    }

    /** The client of the JDK sends no malformed escape. */
    private String raw(String target) throws Exception {
        return exchange("GET " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    }

    private String exchange(String sent) throws Exception {
        try (Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), listener.orElseThrow().port());
                OutputStream out = socket.getOutputStream();
                InputStream in = socket.getInputStream()) {
            socket.setSoTimeout(20_000);
            out.write(sent.getBytes(StandardCharsets.US_ASCII));
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void withoutAnAddressThereIsNoSecondListener() {
        assertThat(site("PRISM_PUBLIC_API_BIND", "").listener(Optional.empty())).isEmpty();
    }

    @Test
    void thePageIsPaintedAndItsScriptsAreThere() throws Exception {
        models.answerWith(() -> new PublicBody(SUMMARY.getBytes(StandardCharsets.UTF_8)));
        start();

        HttpResponse<String> page = send("GET", "/");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(header(page, "Content-Type")).isEqualTo("text/html; charset=utf-8");
        assertThat(header(page, "Content-Security-Policy")).startsWith("default-src 'none'; connect-src 'self';");
        assertThat(page.body()).contains("data-private=\"false\"", "2.50 TH/s", "My pool");
        assertThat(models.asked()).containsExactly("summary");
        assertThat(send("GET", "/dashboard").statusCode()).isEqualTo(200);
        assertThat(header(send("GET", "/dashboard/page.js"), "Content-Type"))
                .isEqualTo("text/javascript; charset=utf-8");
    }

    @Test
    void thePageCanBeSwitchedOff() throws Exception {
        start("PRISM_DASHBOARD_ENABLED", "0");

        assertThat(send("GET", "/").statusCode()).isEqualTo(404);
        assertThat(send("GET", "/dashboard/page.js").statusCode()).isEqualTo(404);
        assertThat(send("GET", "/public/v1/blocks").statusCode()).isEqualTo(200);
    }

    @Test
    void aLayerSeesEveryPublicAnswer() throws Exception {
        PublicSite site = site();
        listener = site.through(new AnswerLayer() {
                    @Override
                    public HttpEndpoint remembered(HttpEndpoint cache) {
                        return HttpEndpoint.fromMemory(
                                query -> cache.answer(query).map(answer -> answer.withHeader("X-From", "memory")));
                    }

                    @Override
                    public HttpEndpoint computed(HttpEndpoint reads) {
                        return query -> reads.answer(query).map(answer -> answer.withHeader("X-From", "reads"));
                    }
                })
                .listener(Optional.of(0));
        listener.orElseThrow().start();

        assertThat(header(send("GET", "/public/v1/blocks"), "X-From")).isEqualTo("reads");
        assertThat(header(send("GET", "/public/v1/blocks"), "X-From")).isEqualTo("memory");
    }

    @Test
    void besidePrivatePathsEachPartKeepsItsForm() throws Exception {
        startBeside("PRISM_PUBLIC_RATE_LIMIT_PER_SECOND", "0.01", "PRISM_PUBLIC_RATE_LIMIT_BURST", "1");

        assertThat(send("GET", "/public/v1/blocks").statusCode()).isEqualTo(200);
        await("the limit")
                .atMost(Duration.ofSeconds(20))
                .until(() -> send("GET", "/public/v1/blocks").statusCode() == 429);
        HttpResponse<String> owed = send("GET", "/owed");
        assertThat(owed.statusCode()).isEqualTo(200);
        assertThat(owed.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
        assertThat(send("GET", "/nothing").body()).isEqualTo("{\"error\":\"unknown endpoint\"}\n");
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }
}
