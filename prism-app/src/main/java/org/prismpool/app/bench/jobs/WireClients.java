package org.prismpool.app.bench.jobs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Many miners on one thread, {@code prism-app-bench-clients}. They never submit; what they measure is when work reaches them.
 */
public final class WireClients implements AutoCloseable {

    private static final long SLICE_MILLIS = 20;
    private static final long LOOK_MILLIS = 1;

    private final Selector selector;
    private final List<WireClient> clients = new ArrayList<>();
    private final ConcurrentLinkedQueue<Step> steps = new ConcurrentLinkedQueue<>();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean closed;

    /** Something that the thread does between two looks at the sockets. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    /** What happened to a group of clients that wanted their first job. */
    public record Joined(List<Long> nanos, int lost, int retries) {
        /** Copies the list. */
        public Joined {
            nanos = List.copyOf(nanos);
        }
    }

    /**
     * Makes clients; they do not connect yet.
     *
     * @param port of the pool
     * @param count how many
     * @param miners under how many payout addresses
     * @throws IOException if the system gives no selector
     */
    public WireClients(int port, int count, int miners) throws IOException {
        this.selector = Selector.open();
        for (int i = 0; i < count; i++) {
            String username = SyntheticShares.miner(i % miners).text() + ".rig" + i;
            clients.add(new WireClient(port, selector, username));
        }
        this.thread = new Thread(this::run, "prism-app-bench-clients");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (!closed) {
                selector.select(SLICE_MILLIS);
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.isValid() && key.attachment() instanceof WireClient client) {
                        client.ready(key);
                    }
                }
                selector.selectedKeys().clear();
                for (Step step = steps.poll(); step != null; step = steps.poll()) {
                    step.run();
                }
                long now = System.nanoTime();
                for (WireClient client : clients) {
                    client.tick(now);
                }
            }
            for (WireClient client : clients) {
                client.close();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("the measuring clients failed", failed);
        } finally {
            stopped.countDown();
        }
    }

    private void onThread(Step step) {
        steps.add(step);
        selector.wakeup();
    }

    /**
     * Connects a group of clients at once and waits until each has a job.
     *
     * @param from first of them
     * @param to one behind the last
     * @param longest longest wait
     * @return how it went; a client without a job is lost
     * @throws InterruptedException if interrupted
     */
    public Joined join(int from, int to, Duration longest) throws InterruptedException {
        CountDownLatch dialled = new CountDownLatch(1);
        onThread(() -> {
            for (WireClient client : clients.subList(from, to)) {
                client.connect();
            }
            dialled.countDown();
        });
        long end = System.nanoTime() + longest.toNanos();
        if (dialled.await(longest.toNanos(), TimeUnit.NANOSECONDS)) {
            while (waiting(from, to) > 0
                    && System.nanoTime() - end < 0
                    && !stopped.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                // the clients' thread does the work
            }
        }
        List<Long> nanos = new ArrayList<>();
        int retries = 0;
        for (WireClient client : clients.subList(from, to)) {
            long job = client.firstJobNanos;
            if (job != 0) {
                nanos.add(job - client.wantedNanos);
            }
            retries += client.attempts();
        }
        return new Joined(nanos, to - from - nanos.size(), retries);
    }

    private long waiting(int from, int to) {
        return clients.subList(from, to).stream()
                .filter(client -> client.firstJobNanos == 0)
                .count();
    }

    /**
     * Drops a group of connections at once.
     *
     * @param from first of them
     * @param to one behind the last
     */
    public void drop(int from, int to) {
        onThread(() -> {
            for (WireClient client : clients.subList(from, to)) {
                client.drop();
            }
        });
    }

    /**
     * Tells the parent that the newest jobs of a group stand on.
     *
     * @param from first of them
     * @param to one behind the last
     * @return its text on the wire, empty if they differ or one has no job
     */
    public String commonParent(int from, int to) {
        String first = clients.get(from).parent;
        boolean common = clients.subList(from, to).stream().allMatch(client -> client.parent.equals(first));
        return common ? first : "";
    }

    /**
     * Waits until a group of clients has work on one other parent.
     *
     * @param from first of them
     * @param to one behind the last
     * @param old parent of their work so far
     * @param longest longest wait
     * @return when each of them got it; empty if not all did
     * @throws InterruptedException if interrupted
     */
    public List<Long> awaitOtherParent(int from, int to, String old, Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        while (System.nanoTime() - end < 0) {
            String now = commonParent(from, to);
            if (!now.isEmpty() && !now.equals(old)) {
                return clients.subList(from, to).stream()
                        .map(client -> client.parentNanos)
                        .toList();
            }
            if (stopped.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                break;
            }
        }
        return List.of();
    }

    /** Closes every connection and joins the thread. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            thread.join(Duration.ofSeconds(5).toMillis());
            selector.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException("closing the selector", e);
        }
    }
}
