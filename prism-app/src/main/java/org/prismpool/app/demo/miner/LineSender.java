package org.prismpool.app.demo.miner;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Writes lines to one connection from a thread of its own, so that no caller waits for the socket. The queue holds 64
 * lines, four times what a session may have unanswered; a full queue ends the connection.
 */
final class LineSender implements Runnable {

    private static final int QUEUE_BOUND = 64;

    private final OutputStream out;
    private final AutoCloseable connection;
    private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(QUEUE_BOUND);
    private volatile boolean stopped;

    LineSender(OutputStream out, AutoCloseable connection) {
        this.out = out;
        this.connection = connection;
    }

    /** Queues one line without its line feed. */
    void send(String line) throws IOException {
        if (stopped || !lines.offer(line)) {
            throw new IOException(stopped ? "connection ended" : "pool does not read");
        }
    }

    /** Ends the connection: its reader then sees the closed socket. */
    void fail(IOException cause) {
        stopped = true;
        try {
            connection.close();
        } catch (Exception e) {
            cause.addSuppressed(e);
        }
    }

    void stop() {
        stopped = true;
    }

    @Override
    public void run() {
        try {
            while (!stopped) {
                String line = lines.poll(200, TimeUnit.MILLISECONDS);
                if (line != null) {
                    out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
                    out.flush();
                }
            }
        } catch (IOException e) {
            fail(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
