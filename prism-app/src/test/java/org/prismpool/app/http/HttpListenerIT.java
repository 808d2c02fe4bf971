package org.prismpool.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpListenerIT {

    private final HttpClient client = HttpClient.newHttpClient();
    private final HttpListener listener = new HttpListener(
            "test-http",
            "127.0.0.1",
            0,
            List.of(
                    query -> query.segments().equals(List.of("one"))
                            ? Optional.of(HttpAnswer.json(200, "{\"one\": 1}"))
                            : Optional.empty(),
                    query -> {
                        if (query.segments().size() == 2
                                && query.segments().get(0).equals("echo")) {
                            String segment = query.segments().get(1);
                            return Optional.of(HttpAnswer.json(200, "{\"segment\": \"" + segment + "\"}"));
                        }
                        if (query.segments().equals(List.of("picky"))) {
                            throw new BadRequestException("say \"please\"");
                        }
                        if (query.segments().equals(List.of("broken"))) {
                            throw new IllegalStateException("password=hunter2");
                        }
                        return Optional.empty();
                    }));

    @BeforeEach
    void start() throws IOException {
        listener.start();
    }

    @AfterEach
    void close() {
        listener.close();
    }

    private HttpResponse<String> send(String method, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + listener.port() + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void answersWithTheFirstEndpointThatKnowsThePath() throws Exception {
        HttpResponse<String> answer = send("GET", "/one?x=1");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body().strip()).isEqualTo("{\"one\": 1}");
        assertThat(answer.headers().firstValueAsLong("Content-Length"))
                .hasValue(answer.body().length());
    }

    @Test
    void answersHeadWithoutABody() throws Exception {
        HttpResponse<String> answer = send("HEAD", "/one");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEmpty();
        assertThat(answer.headers().firstValueAsLong("Content-Length")).hasValue("{\"one\": 1}\n".length());
    }

    @Test
    void refusesUnknownPathsAndMethods() throws Exception {
        assertThat(send("GET", "/two").statusCode()).isEqualTo(404);
        assertThat(send("POST", "/one").statusCode()).isEqualTo(405);
    }

    @Test
    void tellsWhichMethodsItKnows() throws Exception {
        assertThat(send("DELETE", "/one").headers().firstValue("Allow")).contains("GET, HEAD");
    }

    @Test
    void refusesAnOverlongUrlAsSuch() throws Exception {
        assertThat(send("GET", "/one?" + "x".repeat(2043)).statusCode()).isEqualTo(200); // 2048 characters
        assertThat(send("GET", "/one?" + "x".repeat(2044)).statusCode()).isEqualTo(414);
        assertThat(send("GET", "/one?" + "x".repeat(9000)).statusCode()).isEqualTo(414);
    }

    @Test
    void decodesASegmentAfterSplitting() throws Exception {
        assertThat(send("GET", "/echo/a%2Fb%25").body().strip()).isEqualTo("{\"segment\": \"a/b%\"}");
        assertThat(send("GET", "/echo/plain/").body().strip()).isEqualTo("{\"segment\": \"plain\"}");
    }

    @Test
    void blamesTheSenderForABadRequest() throws Exception {
        HttpResponse<String> answer = send("GET", "/picky");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).isEqualTo("{\"error\":\"say \\\"please\\\"\"}\n");
    }

    @Test
    void answersFromMemoryWhileEveryRequestThreadWaits() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch waiting = new CountDownLatch(2);
        AtomicInteger refused = new AtomicInteger();
        HttpEndpoint hangs = query -> {
            if (!query.segments().equals(List.of("hangs"))) {
                return Optional.empty();
            }
            waiting.countDown();
            release.await();
            return Optional.of(HttpAnswer.json(200, "{}"));
        };
        HttpEndpoint memory = HttpEndpoint.fromMemory(query -> query.segments().equals(List.of("memory"))
                ? Optional.of(HttpAnswer.json(200, "{\"from\": \"memory\"}"))
                : Optional.empty());
        try (HttpListener small = new HttpListener(
                "small",
                "127.0.0.1",
                0,
                new HttpSite(List.of(hangs, memory), List.of()),
                refused::incrementAndGet,
                new HttpListener.Limits(2, 3))) {
            small.start();
            List<CompletableFuture<HttpResponse<String>>> held = new ArrayList<>();
            held.add(client.sendAsync(get(small, "/hangs"), HttpResponse.BodyHandlers.ofString()));
            held.add(client.sendAsync(get(small, "/hangs"), HttpResponse.BodyHandlers.ofString()));
            assertThat(waiting.await(10, TimeUnit.SECONDS)).isTrue();
            held.add(client.sendAsync(get(small, "/hangs"), HttpResponse.BodyHandlers.ofString()));
            await("the bound is reached").until(() -> small.freePlaces() == 0);
            assertThat(status(small, "/hangs?probe=1")).isEqualTo(503);

            assertThat(status(small, "/memory")).isEqualTo(200);
            assertThat(refused).hasValueGreaterThan(0);
            release.countDown();
            for (CompletableFuture<HttpResponse<String>> answer : held) {
                assertThat(answer.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
            }
        }
    }

    @Test
    void aBurstUpToTheBoundIsAdmittedWhole() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        HttpEndpoint hangs = query -> {
            release.await();
            return Optional.of(HttpAnswer.json(200, "{}"));
        };
        AtomicInteger refused = new AtomicInteger();
        try (HttpListener small = new HttpListener(
                "burst",
                "127.0.0.1",
                0,
                new HttpSite(List.of(hangs), List.of()),
                refused::incrementAndGet,
                new HttpListener.Limits(2, 8))) {
            small.start();
            List<CompletableFuture<HttpResponse<String>>> burst = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                burst.add(client.sendAsync(get(small, "/hangs"), HttpResponse.BodyHandlers.ofString()));
            }
            await("all places are taken").atMost(Duration.ofSeconds(20)).until(small::freePlaces, free -> free == 0);

            assertThat(status(small, "/hangs")).isEqualTo(503);
            assertThat(refused).hasValue(1);
            release.countDown();
            for (CompletableFuture<HttpResponse<String>> answer : burst) {
                assertThat(answer.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
            }
        }
    }

    private int status(HttpListener at, String path) throws Exception {
        return client.send(get(at, path), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static HttpRequest get(HttpListener at, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + at.port() + path))
                .timeout(Duration.ofSeconds(20))
                .build();
    }

    @Test
    void closesWithinASecondWhileRequestsHangAndGivesThePortBack() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        HttpListener stuck = new HttpListener("stuck", "127.0.0.1", 0, List.of(query -> {
            entered.countDown();
            new Semaphore(0).acquireUninterruptibly();
            return Optional.empty();
        }));
        stuck.start();
        int port = stuck.port();
        CompletableFuture<HttpResponse<Void>> cutOff =
                client.sendAsync(get(stuck, "/x"), HttpResponse.BodyHandlers.discarding());
        assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();

        long before = System.nanoTime();
        stuck.close();
        stuck.close();
        Duration took = Duration.ofNanos(System.nanoTime() - before);

        assertThat(took).isLessThan(Duration.ofSeconds(8)); // a second each, and this machine is shared
        assertThat(cutOff).failsWithin(Duration.ofSeconds(10));
        try (HttpListener next = new HttpListener("next", "127.0.0.1", port, List.of())) {
            next.start();
            assertThat(next.port()).isEqualTo(port);
        }
    }

    @Test
    void aStopBeforeTheStartIsHarmless() {
        HttpListener never = new HttpListener("never", "127.0.0.1", 0, List.of());

        never.close();

        assertThat(never.port()).isNotPositive();
    }

    @Test
    void aListenerThatWasClosedDoesNotStart() {
        HttpListener closed = new HttpListener("closed", "127.0.0.1", 0, List.of());
        assertThat(closed.state()).isEqualTo(HttpListener.State.NEW);
        closed.close();

        assertThatThrownBy(closed::start).isInstanceOf(IOException.class).hasMessageContaining("stopped");
        assertThat(closed.state()).isEqualTo(HttpListener.State.STOPPED);
    }

    @Test
    void aStopThatRacesTheStartLeavesNoPortBound() throws Exception {
        for (int i = 0; i < 20; i++) {
            HttpListener raced = new HttpListener("raced", "127.0.0.1", 0, List.of());
            CompletableFuture<Integer> started = CompletableFuture.supplyAsync(() -> {
                try {
                    raced.start();
                    return raced.port();
                } catch (IOException closedMeanwhile) {
                    return 0;
                }
            });
            raced.close();

            int port = started.get(20, TimeUnit.SECONDS);
            assertThat(raced.state()).isEqualTo(HttpListener.State.STOPPED);
            assertThat(raced.port()).isNotPositive();
            if (port > 0) {
                try (ServerSocket next = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                    assertThat(next.isBound()).isTrue();
                }
            }
        }
    }

    @Test
    void anAcceptorThatEndsClosesTheSocketAndIsReported() throws Exception {
        assertThat(listener.state()).isEqualTo(HttpListener.State.RUNNING);
        int port = listener.port();

        // The acceptor gives itself its name only once it runs, which may be after the start returned.
        await("exit").atMost(Duration.ofSeconds(20)).until(() -> {
            interruptAcceptors();
            return listener.state() == HttpListener.State.EXITED;
        });

        try (HttpListener next = new HttpListener("restarted", "127.0.0.1", port, List.of())) {
            next.start();
            assertThat(next.port()).isEqualTo(port);
        }
        listener.close();
        assertThat(listener.state()).isEqualTo(HttpListener.State.STOPPED);
    }

    private static void interruptAcceptors() {
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().contains("test-http")
                        && thread.getName().contains("acceptor"))
                .forEach(Thread::interrupt);
    }

    @Test
    void largeAnswersThatNobodyTakesHoldABoundedMemory() throws Exception {
        byte[] body = new byte[40 << 20];
        HttpEndpoint huge = query -> Optional.of(new HttpAnswer(200, "application/json", body, Map.of()));
        try (HttpListener large = new HttpListener("large", "127.0.0.1", 0, List.of(huge))) {
            large.start();
            try (Socket stuck = new Socket("127.0.0.1", large.port())) {
                stuck.getOutputStream().write("GET /x HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                assertThat(stuck.getInputStream().read()).isEqualTo('H'); // and takes no more

                assertThat(client.send(get(large, "/x"), HttpResponse.BodyHandlers.ofString())
                                .statusCode())
                        .isEqualTo(503);
            }
            for (String room : List.of("that of the lost reader", "that of a finished answer")) {
                await(room).atMost(Duration.ofSeconds(30)).until(() -> {
                    HttpResponse<byte[]> whole = client.send(get(large, "/x"), HttpResponse.BodyHandlers.ofByteArray());
                    return whole.statusCode() == 200 && whole.body().length == body.length;
                });
            }
        }
    }

    @Test
    void hidesWhyAnEndpointBroke() throws Exception {
        HttpResponse<String> answer = send("GET", "/broken");

        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).doesNotContain("hunter2");
    }

    @Test
    void namesThePortThatIsTaken() {
        HttpListener second = new HttpListener("second", "127.0.0.1", listener.port(), List.of());

        assertThatThrownBy(second::start).isInstanceOf(IOException.class).hasMessageContaining("" + listener.port());
    }
}
