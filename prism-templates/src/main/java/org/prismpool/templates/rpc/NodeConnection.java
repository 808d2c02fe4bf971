package org.prismpool.templates.rpc;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * One TCP connection to the node, used by one call at a time on the caller's own thread.
 *
 * <p>{@link #close} may be called from any thread and ends a connect, read or write under way; so does an interrupt.
 */
final class NodeConnection implements Closeable {

    // The channel copies through a buffer of the size of what it is given, and keeps that buffer for the thread.
    private static final int SLICE = 64 << 10;

    private final SocketChannel channel;
    private final ByteBuffer unread = ByteBuffer.allocateDirect(SLICE).flip();
    private long keptSinceNanos;

    NodeConnection() throws IOException {
        this.channel = SocketChannel.open();
    }

    void connect(InetSocketAddress node) throws IOException {
        channel.connect(node);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    void send(byte[] bytes) throws IOException {
        for (int from = 0; from < bytes.length; from += SLICE) {
            ByteBuffer slice = ByteBuffer.wrap(bytes, from, Math.min(SLICE, bytes.length - from));
            while (slice.hasRemaining()) {
                channel.write(slice);
            }
        }
    }

    /**
     * Reads one byte.
     *
     * @return 0 to 255
     * @throws EOFException if the node has ended the connection
     */
    int read() throws IOException {
        if (!more()) {
            throw new EOFException("connection closed by the node");
        }
        return unread.get() & 0xff;
    }

    /**
     * Reads what is there, waiting for the first byte.
     *
     * @return number of bytes, 1 or more, or −1 at the end of the connection
     */
    int read(byte[] into, int from, int most) throws IOException {
        if (!more()) {
            return -1;
        }
        int count = Math.min(most, unread.remaining());
        unread.get(into, from, count);
        return count;
    }

    private boolean more() throws IOException {
        if (unread.hasRemaining()) {
            return true;
        }
        unread.clear();
        int count = channel.read(unread);
        unread.flip();
        return count > 0;
    }

    /** Tells whether the node has neither closed the connection nor sent anything that nobody asked for. */
    boolean usable() {
        if (unread.hasRemaining()) {
            return false;
        }
        try {
            channel.configureBlocking(false);
            unread.clear();
            int count = channel.read(unread);
            unread.flip();
            channel.configureBlocking(true);
            return count == 0;
        } catch (IOException broken) {
            return false;
        }
    }

    void keptSince(long nanos) {
        keptSinceNanos = nanos;
    }

    long keptSinceNanos() {
        return keptSinceNanos;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
