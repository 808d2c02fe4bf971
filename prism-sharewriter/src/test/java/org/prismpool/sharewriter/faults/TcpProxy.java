package org.prismpool.sharewriter.faults;

import static com.google.common.util.concurrent.Uninterruptibles.awaitUninterruptibly;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between a client and PostgreSQL and cuts the connection at a chosen request, or keeps its answer back.
 *
 * <p>While armed it forwards requests whole, up to their synchronisation message, so that a cut before a request really
 * keeps it from the server.
 */
public final class TcpProxy implements AutoCloseable {

    public enum Cut {
        /** The request never reaches the server. */
        BEFORE_SEND,
        /** The server answers, the answer is lost. */
        AFTER_ANSWER,
        /** No cut: the server answers, and the answer waits for {@link #letPass}. */
        LATE_ANSWER
    }

    private static final int ASK_FOR_TLS = 80877103;
    private static final int ASK_FOR_GSS = 80877104;

    private final int serverPort;
    private String databaseUrl = "";
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger countdown = new AtomicInteger(); // requests until the cut, 0: not armed
    private volatile Cut cut = Cut.BEFORE_SEND;
    private volatile boolean refusing;
    private volatile boolean silent;
    private volatile boolean closed;
    private final AtomicInteger cuts = new AtomicInteger();
    private volatile CountDownLatch late = new CountDownLatch(0);

    public TcpProxy(int serverPort) {
        this.serverPort = serverPort;
        try {
            this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon("proxy-accept", this::accept);
    }

    /** Stands before the server of a database; {@link #url} leads to the database through the proxy. */
    static TcpProxy before(String databaseUrl) {
        TcpProxy proxy = new TcpProxy(Integer.parseInt(databaseUrl.replaceAll(".*:(\\d+)/.*", "$1")));
        proxy.databaseUrl = databaseUrl;
        return proxy;
    }

    String url() {
        return databaseUrl.replace(":" + serverPort + "/", ":" + port() + "/") + "?sslmode=disable";
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Cuts at the given request from now on, counted over all connections. */
    public void arm(int request, Cut how) {
        cut = how;
        late = new CountDownLatch(how == Cut.LATE_ANSWER ? 1 : 0);
        countdown.set(request);
    }

    /** Lets the late answer through. */
    void letPass() {
        late.countDown();
    }

    public int cuts() {
        return cuts.get();
    }

    /** From now on nothing passes in either direction, and no connection ends: the network is gone. */
    void fallSilent() {
        silent = true;
    }

    /** Requests still to pass before the cut; 0 after it. */
    public int uncut() {
        return countdown.get();
    }

    /** Refuses new connections and drops the present ones, or stops doing so. */
    public void refuse(boolean refuse) {
        refusing = refuse;
        if (refuse) {
            sockets.forEach(TcpProxy::closeQuietly);
        }
    }

    private void accept() {
        while (!closed) {
            try {
                Socket client = listener.accept();
                if (refusing) {
                    closeQuietly(client);
                    continue;
                }
                Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                sockets.add(client);
                sockets.add(server);
                Link link = new Link(client, server);
                daemon("proxy-up", link::up);
                daemon("proxy-down", link::down);
            } catch (IOException e) {
                if (!closed && !refusing) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private static void daemon(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        closed = true;
        letPass();
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        sockets.forEach(TcpProxy::closeQuietly);
    }

    private final class Link {
        private final Socket client;
        private final Socket server;
        private volatile boolean swallow;
        private volatile boolean held;
        private boolean started; // confined to the thread of up(): the packets before it have no type

        Link(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void up() {
            byte[] chunk = new byte[65536];
            ByteArrayOutputStream pending = new ByteArrayOutputStream();
            try (InputStream in = client.getInputStream();
                    OutputStream out = server.getOutputStream()) {
                for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                    if (silent) {
                        continue;
                    }
                    if (started && countdown.get() == 0 && pending.size() == 0) {
                        out.write(chunk, 0, n);
                        out.flush();
                        continue;
                    }
                    pending.write(chunk, 0, n);
                    if (!forwardRequests(pending, out)) {
                        return;
                    }
                }
            } catch (IOException ended) {
                drop();
            }
            drop();
        }

        /** Forwards complete requests; false after a cut. */
        private boolean forwardRequests(ByteArrayOutputStream pending, OutputStream out) throws IOException {
            ByteBuffer bytes = ByteBuffer.wrap(pending.toByteArray());
            int start = 0;
            while (!started && bytes.remaining() >= 8) {
                int length = bytes.getInt(bytes.position());
                int code = bytes.getInt(bytes.position() + 4);
                if (bytes.remaining() < length) {
                    break;
                }
                bytes.position(bytes.position() + length);
                started = code != ASK_FOR_TLS && code != ASK_FOR_GSS;
                out.write(bytes.array(), start, bytes.position() - start);
                out.flush();
                start = bytes.position();
            }
            while (started && bytes.remaining() >= 5) {
                int type = bytes.get(bytes.position());
                int length = bytes.getInt(bytes.position() + 1) + 1;
                if (bytes.remaining() < length) {
                    break;
                }
                bytes.position(bytes.position() + length);
                if (type == 'S' || type == 'Q' || type == 'c' || type == 'X') {
                    if (countdown.get() > 0 && type != 'X' && countdown.decrementAndGet() == 0) {
                        Cut how = cut;
                        held = how == Cut.LATE_ANSWER;
                        swallow = how == Cut.AFTER_ANSWER;
                        cuts.incrementAndGet();
                        if (how == Cut.BEFORE_SEND) {
                            drop();
                            return false;
                        }
                    }
                    out.write(bytes.array(), start, bytes.position() - start);
                    out.flush();
                    start = bytes.position();
                }
            }
            byte[] rest = pending.toByteArray();
            pending.reset();
            pending.write(rest, start, rest.length - start);
            return true;
        }

        void down() {
            byte[] chunk = new byte[65536];
            try (InputStream in = server.getInputStream();
                    OutputStream out = client.getOutputStream()) {
                for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                    if (silent) {
                        continue;
                    }
                    if (held) {
                        awaitUninterruptibly(late);
                        held = false;
                    }
                    if (swallow) {
                        if (chunk[0] == 'G' || (n >= 6 && chunk[n - 6] == 'Z')) {
                            drop();
                            return;
                        }
                        continue;
                    }
                    out.write(chunk, 0, n);
                    out.flush();
                }
            } catch (IOException ended) {
                drop();
            }
            drop();
        }

        private void drop() {
            closeQuietly(client);
            closeQuietly(server);
            sockets.remove(client);
            sockets.remove(server);
        }
    }
}
