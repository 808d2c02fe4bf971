package org.prismpool.app.demo.miner;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A pool of a few lines: answers each request with what the test says, one connection at a time. */
final class ScriptedPool implements AutoCloseable {

    private final ObjectMapper mapper = new ObjectMapper();
    private final ServerSocket listener;
    private final Function<JsonNode, List<String>> script;
    private final List<JsonNode> requests = new CopyOnWriteArrayList<>();
    private final List<Socket> connections = new CopyOnWriteArrayList<>();
    private final Thread acceptor = new Thread(this::serve, "test-scripted-pool");

    /** @param script from a request to the lines that are sent for it */
    ScriptedPool(Function<JsonNode, List<String>> script) {
        this.script = script;
        try {
            listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        acceptor.setDaemon(true);
        acceptor.start();
    }

    int port() {
        return listener.getLocalPort();
    }

    List<JsonNode> requests(String method) {
        return requests.stream()
                .filter(request -> request.path("method").asText().equals(method))
                .toList();
    }

    List<String> methods() {
        return requests.stream().map(request -> request.path("method").asText()).toList();
    }

    void send(String line) throws IOException {
        Socket last = connections.get(connections.size() - 1);
        synchronized (last) {
            last.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    void dropConnection() throws IOException {
        connections.get(connections.size() - 1).close();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket connection : connections) {
            connection.close();
        }
    }

    private void serve() {
        while (!listener.isClosed()) {
            try (Socket connection = listener.accept()) {
                connections.add(connection);
                answer(connection);
            } catch (IOException e) {
                // The test or the miner closed the connection; the loop goes on while the listener is open.
            }
        }
    }

    private void answer(Socket connection) throws IOException {
        BufferedReader in =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8));
        String line = in.readLine();
        while (line != null) {
            JsonNode request = mapper.readTree(line);
            requests.add(request);
            for (String answer : script.apply(request)) {
                send(answer);
            }
            line = in.readLine();
        }
    }
}
