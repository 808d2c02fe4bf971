package org.prismpool.templates.rpc;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A raw HTTP server on the loopback address whose every answer a test decides, down to single bytes. */
public final class ScriptedNode implements AutoCloseable {

    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");
    private static final Pattern METHOD = Pattern.compile("\"method\":\"([^\"]+)\"");

    private final ServerSocket server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<Received> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private volatile Behaviour behaviour;

    /** What the node does with a request. */
    @FunctionalInterface
    public interface Behaviour {

        /** Answers a request on its connection, or closes it, or does nothing. */
        void answer(Received request, Connection connection) throws IOException;
    }

    /** A complete request. */
    public record Received(String head, String body) {

        public String method() {
            Matcher matcher = METHOD.matcher(body);
            return matcher.find() ? matcher.group(1) : "";
        }

        public String id() {
            Matcher matcher = ID.matcher(body);
            return matcher.find() ? matcher.group(1) : "";
        }

        public String header(String name) {
            return head.lines()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":"))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .findFirst()
                    .orElse("");
        }
    }

    /** The sending side of one connection. */
    public static final class Connection {

        private final Socket socket;

        Connection(Socket socket) {
            this.socket = socket;
        }

        public void result(Received request, String json) throws IOException {
            json(200, "{\"result\":" + json + ",\"error\":null,\"id\":\"" + request.id() + "\"}");
        }

        public void error(Received request, int status, int code, String message) throws IOException {
            json(
                    status,
                    "{\"result\":null,\"error\":{\"code\":" + code + ",\"message\":\"" + message + "\"},\"id\":\""
                            + request.id() + "\"}");
        }

        public void json(int status, String body) throws IOException {
            raw("HTTP/1.1 " + status + " X\r\nContent-Type: application/json\r\nContent-Length: "
                    + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body);
        }

        public void raw(String text) throws IOException {
            OutputStream out = socket.getOutputStream();
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
        }

        public void close() throws IOException {
            socket.close();
        }
    }

    public ScriptedNode(Behaviour behaviour) {
        this(0, behaviour);
    }

    /** Listens on a chosen port, as a node does after a restart. */
    public ScriptedNode(int port, Behaviour behaviour) {
        this.behaviour = behaviour;
        try {
            this.server = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.execute(this::accept);
    }

    public void behave(Behaviour next) {
        behaviour = next;
    }

    public int port() {
        return server.getLocalPort();
    }

    public List<Received> requests() {
        return new ArrayList<>(requests);
    }

    public List<String> methods() {
        return requests.stream().map(Received::method).toList();
    }

    public int connections() {
        return connections.get();
    }

    public RpcEndpoint endpoint() {
        return RpcEndpoint.of("127.0.0.1", port(), new RpcCredentials.UserPassword("rpc-user", "rpc-password"));
    }

    private void accept() {
        try {
            while (!server.isClosed()) {
                Socket socket = server.accept();
                connections.incrementAndGet();
                sockets.add(socket);
                threads.execute(() -> serve(socket));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            while (!socket.isClosed()) {
                Received request = read(in);
                requests.add(request);
                behaviour.answer(request, new Connection(socket));
            }
        } catch (IOException closed) {
            // Either side has ended the connection.
        }
    }

    private static Received read(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("closed");
            }
            head.append((char) next);
        }
        Matcher length = Pattern.compile("(?i)content-length: (\\d+)").matcher(head);
        int size = length.find() ? Integer.parseInt(length.group(1)) : 0;
        return new Received(head.toString(), new String(in.readNBytes(size), StandardCharsets.UTF_8));
    }

    /** A behaviour that holds every request until the latch opens, and then answers nothing. */
    public static Behaviour holdUntil(CountDownLatch latch) {
        return (request, connection) -> {
            try {
                if (!latch.await(30, TimeUnit.SECONDS)) {
                    throw new IOException("never released");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
        threads.shutdownNow();
    }
}
