package org.prismpool.app.demo.miner;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connection thread: connects, serves one session after the other, and waits between attempts. */
final class PoolLink implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(PoolLink.class);
    private static final int READ_TICK_MILLIS = 500;

    private final CpuMinerConfig config;
    private final MinerCounters counters;
    private final WorkBoard board;
    private final CountDownLatch closing;
    private final String threadPrefix;
    private final ObjectMapper mapper = new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    private final Object socketLock = new Object();
    private Optional<Socket> socket = Optional.empty();

    PoolLink(
            CpuMinerConfig config,
            MinerCounters counters,
            WorkBoard board,
            CountDownLatch closing,
            String threadPrefix) {
        this.config = config;
        this.counters = counters;
        this.board = board;
        this.closing = closing;
        this.threadPrefix = threadPrefix;
    }

    @Override
    public void run() {
        ReconnectBackoff backoff = new ReconnectBackoff(config.firstReconnectDelay(), config.longestReconnectDelay());
        try {
            while (closing.getCount() > 0) {
                serveOnce(backoff);
                long delay = backoff.nextDelay().toNanos();
                if (closing.await(delay, TimeUnit.NANOSECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Closes the socket in use, which wakes the thread from a read. */
    void interruptConnection() {
        Optional<Socket> open;
        synchronized (socketLock) {
            open = socket;
        }
        open.ifPresent(this::closeQuietly);
    }

    private void serveOnce(ReconnectBackoff backoff) throws InterruptedException {
        try (Socket connection = new Socket()) {
            synchronized (socketLock) {
                socket = Optional.of(connection);
            }
            if (closing.getCount() == 0) {
                return;
            }
            connection.setTcpNoDelay(true);
            connection.setSoTimeout(READ_TICK_MILLIS);
            int timeout =
                    (int) Math.min(Integer.MAX_VALUE, config.connectTimeout().toMillis());
            connection.connect(new InetSocketAddress(config.host(), config.port()), timeout);
            counters.connectionMade();
            serve(connection, backoff);
        } catch (IOException e) {
            String why = e instanceof JsonProcessingException
                    ? "malformed JSON from the pool"
                    : String.valueOf(e.getMessage());
            counters.disconnected(why);
            if (closing.getCount() > 0) {
                LOG.atInfo()
                        .addKeyValue("pool", config.host() + ":" + config.port())
                        .addKeyValue("why", why)
                        .log("miner disconnected");
            }
        }
    }

    private void serve(Socket connection, ReconnectBackoff backoff) throws IOException, InterruptedException {
        LineSender sender = new LineSender(connection.getOutputStream(), connection);
        Thread senderThread = new Thread(sender, threadPrefix + "-sender");
        StratumSession session = new StratumSession(config, mapper, counters, board, sender);
        senderThread.start();
        try {
            session.begin();
            LineReader reader = new LineReader(connection.getInputStream());
            while (closing.getCount() > 0) {
                readOne(reader, session);
                if (session.isAuthorized()) {
                    backoff.connectionWorked();
                }
                session.checkAnswers();
            }
        } finally {
            board.withdraw();
            session.end();
            sender.stop();
            closeQuietly(connection);
            senderThread.join(config.closeTimeout().toMillis());
        }
    }

    private static void readOne(LineReader reader, StratumSession session) throws IOException {
        String line;
        try {
            line = reader.readLine();
        } catch (SocketTimeoutException e) {
            // A silent pool is no failure; the tick lets the caller look at overdue answers.
            return;
        }
        session.receive(line);
    }

    private void closeQuietly(Socket open) {
        try {
            open.close();
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("miner socket did not close cleanly");
        }
    }
}
