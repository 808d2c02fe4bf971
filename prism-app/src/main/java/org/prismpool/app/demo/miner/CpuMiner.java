package org.prismpool.app.demo.miner;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A SHA-256d CPU miner that speaks Stratum V1 over TCP like any outside miner: subscribe, version rolling (BIP310),
 * authorize, notify, submit. It uses the JDK's digest and no class of the pool.
 *
 * <p>It reconnects by itself, with growing delays, until {@link #close()}. Thread-safe.
 */
public final class CpuMiner implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CpuMiner.class);

    private final CpuMinerConfig config;
    private final MinerCounters counters = new MinerCounters();
    private final WorkBoard board = new WorkBoard();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final PoolLink link;
    private final List<Thread> threads = new ArrayList<>();
    private boolean started;

    /**
     * Creates a miner that does nothing yet.
     *
     * @param config its settings
     */
    public CpuMiner(CpuMinerConfig config) {
        this.config = config;
        String prefix = "prism-demo-miner-" + workerName(config.username());
        this.link = new PoolLink(config, counters, board, closing, prefix);
        threads.add(new Thread(link, prefix + "-link"));
        long limit = config.hashesPerSecondLimit();
        long perThread = limit == 0 ? 0 : Math.max(1, limit / config.threads());
        for (int i = 0; i < config.threads(); i++) {
            HashWorker worker = new HashWorker(board, counters, closing, perThread);
            threads.add(new Thread(worker, prefix + "-hash-" + i));
        }
    }

    /**
     * Starts the threads and returns at once; the connection is made in the background.
     *
     * @throws IllegalStateException when the miner was started or closed before
     */
    public synchronized void start() {
        if (started || closing.getCount() == 0) {
            throw new IllegalStateException("a miner starts once");
        }
        started = true;
        for (Thread thread : threads) {
            thread.setDaemon(true);
            thread.start();
        }
    }

    /**
     * Returns the counters.
     *
     * @return what the miner did up to now; does not block
     */
    public CpuMinerStats stats() {
        return counters.read();
    }

    /**
     * Returns the name this miner authorizes with.
     *
     * @return the username
     */
    public String username() {
        return config.username();
    }

    /**
     * Stops hashing, closes the connection and waits for every thread, at most for the configured close time. A second
     * call does nothing more.
     */
    @Override
    public void close() {
        closing.countDown();
        link.interruptConnection();
        long deadline = System.nanoTime() + config.closeTimeout().toNanos();
        try {
            joinAll(deadline);
        } catch (InterruptedException e) {
            threads.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
        }
    }

    private void joinAll(long deadline) throws InterruptedException {
        for (Thread thread : threads) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            thread.join(Math.max(1, left));
            if (thread.isAlive()) {
                thread.interrupt();
                LOG.atWarn().addKeyValue("thread", thread.getName()).log("miner thread did not stop in time");
            }
        }
    }

    private static String workerName(String username) {
        int dot = username.indexOf('.');
        return dot < 0 ? username : username.substring(dot + 1);
    }
}
