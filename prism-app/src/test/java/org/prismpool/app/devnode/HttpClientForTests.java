package org.prismpool.app.devnode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;

/** A plain HTTP client that says what came back. */
final class HttpClientForTests {

    static final String USER = "pool";
    static final String PASSWORD = "secret-of-the-test";

    private final ObjectMapper mapper = new ObjectMapper();
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private final String url;

    HttpClientForTests(String url) {
        this.url = url;
    }

    JsonNode call(String body) throws IOException, InterruptedException {
        return mapper.readTree(post("", body).body());
    }

    HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return client.send(request(path, body, PASSWORD), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> postWithPassword(String password, String body) throws IOException, InterruptedException {
        return client.send(request("", body, password), HttpResponse.BodyHandlers.ofString());
    }

    CompletableFuture<HttpResponse<String>> postLater(String body) {
        return client.sendAsync(request("", body, PASSWORD), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> get() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url)).GET().build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest request(String path, String body, String password) {
        String pair = Base64.getEncoder().encodeToString((USER + ":" + password).getBytes(StandardCharsets.UTF_8));
        return HttpRequest.newBuilder(URI.create(url + path))
                .timeout(Duration.ofSeconds(20))
                .header("Authorization", "Basic " + pair)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }
}
