package org.prismpool.app.bench.jobs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * One miner on the wire: it logs in, reads notifies and comes back when it is sent away. Confined to the thread of its
 * {@link WireClients}, apart from the volatile fields, which that thread alone writes.
 */
final class WireClient {

    private static final int LONGEST_LINE = 1 << 16;
    private static final int FIRST_RETRY_MILLIS = 50;
    private static final int LAST_RETRY_MILLIS = 1000;
    private static final byte[] NOTIFY = "\"mining.notify\"".getBytes(StandardCharsets.US_ASCII);

    private final SocketAddress pool;
    private final Selector selector;
    private final byte[] login;
    private final ByteBuffer in = ByteBuffer.allocate(LONGEST_LINE);
    private SocketChannel channel;
    private int attempts;
    private long retryAtNanos;

    /** When the client first wanted its connection; zero before. */
    volatile long wantedNanos;

    /** When its first job of the connection came; zero before. */
    volatile long firstJobNanos;

    /** Parent of the newest job, as it stands on the wire; empty before the first. */
    volatile String parent = "";

    /** When the first job on that parent came. */
    volatile long parentNanos;

    WireClient(int port, Selector selector, String username) throws IOException {
        this.pool = new InetSocketAddress("127.0.0.1", port);
        this.selector = selector;
        this.login = ("{\"id\": 1, \"method\": \"mining.subscribe\", \"params\": [\"bench/1\"]}\n"
                        + "{\"id\": 2, \"method\": \"mining.authorize\", \"params\": [\"" + username
                        + "\", \"x\"]}\n")
                .getBytes(StandardCharsets.US_ASCII);
        this.channel = SocketChannel.open();
    }

    /** Connects for the first time, or again after {@link #drop}. */
    void connect() throws IOException {
        wantedNanos = System.nanoTime();
        firstJobNanos = 0;
        attempts = 0;
        dial();
    }

    private void dial() throws IOException {
        channel.close();
        in.clear();
        channel = SocketChannel.open();
        channel.configureBlocking(false);
        retryAtNanos = 0;
        channel.register(selector, SelectionKey.OP_CONNECT, this);
        channel.connect(pool);
    }

    /** Closes the connection without a word. */
    void drop() throws IOException {
        channel.close();
        parent = "";
        retryAtNanos = 0;
    }

    /** Serves one event of the channel. */
    void ready(SelectionKey key) {
        try {
            if (key.isConnectable() && channel.finishConnect()) {
                key.interestOps(SelectionKey.OP_READ);
                channel.write(ByteBuffer.wrap(login)); // a few hundred bytes into an empty socket: taken whole
            } else if (key.isReadable()) {
                read();
            }
        } catch (IOException refused) {
            comeBackLater();
        }
    }

    private void read() throws IOException {
        if (channel.read(in) < 0) {
            comeBackLater();
            return;
        }
        in.flip();
        int begin = in.position();
        for (int at = begin; at < in.limit(); at++) {
            if (in.get(at) == '\n') {
                line(in.array(), begin, at);
                begin = at + 1;
            }
        }
        in.position(begin);
        in.compact();
    }

    private void line(byte[] bytes, int from, int to) {
        int method = indexOf(bytes, from, to);
        if (method < 0) {
            return;
        }
        // ["job", "parent", ...: the parent is the fourth quoted word after the method, counting both quotes of each
        String rest = new String(bytes, method + NOTIFY.length, to - method - NOTIFY.length, StandardCharsets.US_ASCII);
        String[] quoted = rest.split("\"", 7);
        long now = System.nanoTime();
        if (firstJobNanos == 0) {
            firstJobNanos = now;
        }
        String next = quoted[5];
        if (!next.equals(parent)) {
            parentNanos = now;
            parent = next;
        }
    }

    private static int indexOf(byte[] bytes, int from, int to) {
        for (int at = from; at <= to - NOTIFY.length; at++) {
            int same = 0;
            while (same < NOTIFY.length && bytes[at + same] == NOTIFY[same]) {
                same++;
            }
            if (same == NOTIFY.length) {
                return at;
            }
        }
        return -1;
    }

    private void comeBackLater() {
        try {
            channel.close();
        } catch (IOException alreadyGone) {
            // closed either way
        }
        int wait = Math.min(LAST_RETRY_MILLIS, FIRST_RETRY_MILLIS << Math.min(attempts, 5));
        attempts++;
        retryAtNanos = System.nanoTime() + wait * 1_000_000L;
        parent = "";
        firstJobNanos = 0;
    }

    /** Dials again if that is due. */
    void tick(long nowNanos) throws IOException {
        if (retryAtNanos != 0 && nowNanos - retryAtNanos >= 0) {
            dial();
        }
    }

    int attempts() {
        return attempts;
    }

    void close() throws IOException {
        channel.close();
    }
}
