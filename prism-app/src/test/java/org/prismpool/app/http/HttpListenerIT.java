package org.prismpool.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
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
    }

    @Test
    void answersHeadWithoutABody() throws Exception {
        HttpResponse<String> answer = send("HEAD", "/one");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEmpty();
    }

    @Test
    void refusesUnknownPathsAndMethods() throws Exception {
        assertThat(send("GET", "/two").statusCode()).isEqualTo(404);
        assertThat(send("POST", "/one").statusCode()).isEqualTo(405);
        assertThat(send("GET", "/one?" + "x".repeat(3000)).statusCode()).isGreaterThanOrEqualTo(400);
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
