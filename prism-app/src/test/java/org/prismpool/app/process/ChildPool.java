package org.prismpool.app.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** {@code prism run} in a process of its own, with everything it printed. */
final class ChildPool implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(60);

    final int stratumPort;
    final int httpPort;
    private final HttpClient client = HttpClient.newHttpClient();
    private final Process process;
    private final Thread reading;
    private final List<String> output = new CopyOnWriteArrayList<>();

    private ChildPool(List<String> arguments, Map<String, String> environment, int stratumPort, int httpPort) {
        this.stratumPort = stratumPort;
        this.httpPort = httpPort;
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx192m",
                "-cp",
                System.getProperty("java.class.path"),
                "org.prismpool.app.Main"));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.matches("(PRISM|QBIT|PG).*"));
        builder.environment().putAll(environment);
        try {
            this.process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.reading = new Thread(this::read, "child-output");
        reading.setDaemon(true);
        reading.start();
    }

    static ChildPool start(Map<String, String> environment) {
        int stratumPort = freePort();
        int httpPort = freePort();
        Map<String, String> settings = new HashMap<>(environment);
        settings.put("PRISM_STRATUM_PORT", Integer.toString(stratumPort));
        settings.put("PRISM_AUDIT_BIND", "127.0.0.1");
        settings.put("PRISM_AUDIT_PORT", Integer.toString(httpPort));
        return new ChildPool(List.of("run"), settings, stratumPort, httpPort);
    }

    /** The public process; its HTTP port is that of the public listener. */
    static ChildPool startPublic(Map<String, String> environment) {
        int httpPort = freePort();
        Map<String, String> settings = new HashMap<>(environment);
        settings.put("PRISM_PUBLIC_API_PORT", Integer.toString(httpPort));
        return new ChildPool(List.of("run", "--role", "public"), settings, 0, httpPort);
    }

    private static int freePort() {
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return any.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.add(line);
            }
        } catch (IOException closed) {
            output.add("output ended: " + closed.getMessage());
        }
    }

    ChildPool awaitLine(String part) {
        await(part).atMost(START).until(() -> {
            assertThat(process.isAlive() || contains(part)).as(text()).isTrue();
            return contains(part);
        });
        return this;
    }

    ChildPool awaitReady() {
        return awaitLine("step=\"ready\"");
    }

    boolean contains(String part) {
        return output.stream().anyMatch(line -> line.contains(part));
    }

    String text() {
        return String.join("\n", output);
    }

    /** The events of starting and stopping, by name, in their order. */
    List<String> events() {
        return output.stream()
                .filter(line -> line.contains("prism coordinator: {"))
                .map(line -> line.replaceFirst(".*\"event\":\"([a-z_]+)\".*", "$1"))
                .toList();
    }

    /** Sends SIGTERM; unlike {@link Process#destroy} it leaves the output open. */
    void terminate() {
        assertThat(process.toHandle().destroy()).isTrue();
    }

    boolean alive() {
        return process.isAlive();
    }

    int exitCode(Duration limit) throws InterruptedException {
        assertThat(process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS))
                .as(() -> "the process ends\n" + text())
                .isTrue();
        reading.join(TimeUnit.SECONDS.toMillis(10));
        return process.exitValue();
    }

    int status(String path) throws IOException, InterruptedException {
        return get(path).statusCode();
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + path))
                .timeout(Duration.ofSeconds(20))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
