package org.prismpool.templates.rpc;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Turns the node's host name into an address, on threads of its own, because nothing can end a lookup.
 *
 * <p>Callers share a lookup under way. One that hangs is left alone after a while, and at most four may hang.
 * Thread-safe; the lookup under way is guarded by this.
 */
class HostResolver implements AutoCloseable {

    private static final int THREADS = 4;
    private static final long SHARED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String host;
    private final long sharedNanos;
    private final ThreadPoolExecutor threads;
    private CompletableFuture<InetAddress> underWay = CompletableFuture.failedFuture(new UnknownHostException());
    private long begunNanos;

    HostResolver(String host) {
        this(host, SHARED_NANOS);
    }

    /** Creates a resolver whose lookups are shared by callers that come within a time of their begin. */
    HostResolver(String host, long sharedNanos) {
        this.host = host;
        this.sharedNanos = sharedNanos;
        AtomicInteger number = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(0, THREADS, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = new Thread(task, "prism-templates-resolve-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Starts a lookup or joins the one under way; the result is the caller's own and may be cancelled. */
    synchronized CompletableFuture<InetAddress> resolve() {
        if (underWay.isDone() || System.nanoTime() - begunNanos >= sharedNanos) {
            begin();
        }
        return underWay.copy();
    }

    private void begin() {
        CompletableFuture<InetAddress> result = new CompletableFuture<>();
        try {
            threads.execute(() -> {
                try {
                    result.complete(lookUp(host));
                } catch (UnknownHostException e) {
                    result.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException allHang) {
            return; // the newest of those that hang may still answer
        }
        underWay = result;
        begunNanos = System.nanoTime();
    }

    /** Looks a name up; the JDK keeps its own short cache of the answers. */
    InetAddress lookUp(String name) throws UnknownHostException {
        return InetAddress.getByName(name);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
