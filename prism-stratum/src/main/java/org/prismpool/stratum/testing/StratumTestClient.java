package org.prismpool.stratum.testing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.SocketFactory;

/**
 * A line client for tests of any Stratum server: sends requests, tells responses from notifications and keeps the newest difficulty and job.
 *
 * <p>Confined to one thread. Every wait has a limit; a server that closes the connection shows as an {@link IOException}.
 */
public final class StratumTestClient implements AutoCloseable {

    // Servers differ in their spaces; a quote inside a text has a backslash before it.
    private static final Pattern METHOD = Pattern.compile("(?<!\\\\)\"method\"\\s*:");
    private static final Pattern SUCCESS = Pattern.compile("\"result\"\\s*:\\s*true");
    private static final Pattern SUBSCRIBED =
            Pattern.compile("\"result\"\\s*:\\s*\\[.*\\],?\\s*\"([0-9a-fA-F]+)\"\\s*,\\s*\\d+\\s*\\]");

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final Duration timeout;
    private final List<String> notifications = new ArrayList<>();
    private long lastId;

    private StratumTestClient(Socket socket, Duration timeout) throws IOException {
        this.socket = socket;
        this.timeout = timeout;
        socket.setTcpNoDelay(true);
        this.in = new BufferedInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    /**
     * Connects to a server on this machine.
     *
     * @param port port of its listener
     * @return a connected client whose waits are limited to 10 s
     * @throws IOException if the connection is refused
     */
    public static StratumTestClient connect(int port) throws IOException {
        return connect(SocketFactory.getDefault(), "127.0.0.1", port, Duration.ofSeconds(10));
    }

    /**
     * Connects to a server.
     *
     * @param sockets maker of sockets, for TLS
     * @param host its host
     * @param port its port
     * @param timeout longest wait for anything
     * @return a connected client
     * @throws IOException if the connection is refused
     */
    public static StratumTestClient connect(SocketFactory sockets, String host, int port, Duration timeout)
            throws IOException {
        Socket socket = sockets.createSocket();
        socket.connect(new InetSocketAddress(host, port), (int) timeout.toMillis());
        return new StratumTestClient(socket, timeout);
    }

    /**
     * Sends bytes as they are.
     *
     * @param bytes any bytes
     * @throws IOException if the connection is gone
     */
    public void sendRaw(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /**
     * Sends one line.
     *
     * @param line text without its line end
     * @throws IOException if the connection is gone
     */
    public void sendLine(String line) throws IOException {
        sendRaw((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Sends a request and returns its response; notifications that come before it are kept.
     *
     * @param method method name
     * @param params JSON text of the parameter array
     * @return the response line
     * @throws IOException if the server closes the connection or does not answer in time
     */
    public String request(String method, String params) throws IOException {
        long id = send(method, params);
        return response(id);
    }

    /**
     * Sends a request without waiting.
     *
     * @param method method name
     * @param params JSON text of the parameter array
     * @return the request's id
     * @throws IOException if the connection is gone
     */
    public long send(String method, String params) throws IOException {
        long id = ++lastId;
        sendLine("{\"id\": " + id + ", \"method\": \"" + method + "\", \"params\": " + params + "}");
        return id;
    }

    /**
     * Waits for the next response; notifications that come before it are kept.
     *
     * @param id id that it must carry
     * @return the response line
     * @throws IOException if the server closes the connection, does not answer in time, or answers another request first
     */
    public String response(long id) throws IOException {
        String line = nextResponse();
        if (!answers(line, Long.toString(id))) {
            throw new IOException("expected the response to " + id + " but got " + line);
        }
        return line;
    }

    /**
     * Waits for the next line that is no notification.
     *
     * @return the line
     * @throws IOException if the server closes the connection or does not answer in time
     */
    public String nextResponse() throws IOException {
        while (true) {
            String line = readLine();
            if (!isNotification(line)) {
                return line;
            }
            notifications.add(line);
        }
    }

    /**
     * Subscribes and authorizes, then waits for the first job.
     *
     * @param username the username
     * @param password the password
     * @return the first job
     * @throws IOException if any step fails
     */
    public MinerJob login(String username, String password) throws IOException {
        String subscribed = request("mining.subscribe", "[\"test/1.0\"]");
        Matcher result = SUBSCRIBED.matcher(subscribed);
        if (!result.find()) {
            throw new IOException("subscribe failed: " + subscribed);
        }
        extranonce1 = result.group(1);
        String authorized = request("mining.authorize", "[\"" + username + "\", \"" + password + "\"]");
        if (!isSuccess(authorized)) {
            throw new IOException("authorize failed: " + authorized);
        }
        return nextJob();
    }

    private String extranonce1 = "";

    /**
     * Returns the extranonce1 that {@link #login} was given.
     *
     * @return eight hex digits, empty before
     */
    public String extranonce1() {
        return extranonce1;
    }

    /**
     * Waits for the next update, kept or new.
     *
     * @return the job with the difficulty announced before it
     * @throws IOException if none comes in time, or a job comes without a difficulty before it
     */
    public MinerJob nextJob() throws IOException {
        String difficulty = nextNotification();
        if (!difficulty.contains("\"mining.set_difficulty\"")) {
            throw new IOException("expected a difficulty but got " + difficulty);
        }
        String notify = nextNotification();
        if (!notify.contains("\"mining.notify\"")) {
            throw new IOException("expected a job but got " + notify);
        }
        return MinerJob.parse(difficulty, notify);
    }

    private String nextNotification() throws IOException {
        if (!notifications.isEmpty()) {
            return notifications.remove(0);
        }
        String line = readLine();
        if (!isNotification(line)) {
            throw new IOException("expected a notification but got " + line);
        }
        return line;
    }

    /**
     * Tells whether nothing arrives for a while.
     *
     * @param quiet how long to listen
     * @return true if no line arrived
     * @throws IOException if the server closes the connection
     */
    public boolean silentFor(Duration quiet) throws IOException {
        if (!notifications.isEmpty()) {
            return false;
        }
        socket.setSoTimeout((int) Math.max(1, quiet.toMillis()));
        in.mark(1);
        try {
            if (in.read() < 0) {
                throw new IOException("connection closed by the server");
            }
            in.reset();
            return false;
        } catch (SocketTimeoutException nothing) {
            return true;
        }
    }

    /**
     * Submits a share and returns the response.
     *
     * @param username the username
     * @param job job id
     * @param extranonce2 hex
     * @param ntime hex
     * @param nonce hex
     * @param versionBits hex, or empty to send five parameters
     * @return the response line
     * @throws IOException if the server closes the connection or does not answer in time
     */
    public String submit(
            String username, String job, String extranonce2, String ntime, String nonce, Optional<String> versionBits)
            throws IOException {
        String bits = versionBits.map(text -> ", \"" + text + "\"").orElse("");
        return request(
                "mining.submit",
                "[\"" + String.join("\", \"", username, job, extranonce2, ntime, nonce) + "\"" + bits + "]");
    }

    /**
     * Reads one line.
     *
     * @return the line without its end
     * @throws IOException if the server closes the connection or sends nothing in time
     */
    public String readLine() throws IOException {
        socket.setSoTimeout((int) timeout.toMillis());
        ByteArrayOutputStream line = new ByteArrayOutputStream(256);
        while (true) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("connection closed by the server");
            }
            if (next == '\n') {
                return line.toString(StandardCharsets.ISO_8859_1);
            }
            line.write(next);
        }
    }

    /**
     * Waits for the server to close the connection.
     *
     * @return lines that came before the end
     * @throws IOException if it stays open beyond the timeout
     */
    public List<String> readToEnd() throws IOException {
        socket.setSoTimeout((int) timeout.toMillis());
        try {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1)
                    .lines()
                    .toList();
        } catch (SocketTimeoutException open) {
            throw new IOException("connection stayed open", open);
        } catch (IOException reset) {
            return List.of();
        }
    }

    /**
     * Returns the socket, for tests of the transport itself.
     *
     * @return the connected socket
     */
    public Socket socket() {
        return socket;
    }

    private static boolean isNotification(String line) {
        return METHOD.matcher(line).find();
    }

    static boolean isSuccess(String line) {
        return SUCCESS.matcher(line).find();
    }

    /** Tells whether a line carries an id, given as JSON text. */
    static boolean answers(String line, String id) {
        return Pattern.compile("\"id\"\\s*:\\s*" + Pattern.quote(id) + "\\s*[,}]")
                .matcher(line)
                .find();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
