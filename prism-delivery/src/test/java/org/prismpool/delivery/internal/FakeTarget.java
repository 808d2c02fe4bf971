package org.prismpool.delivery.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.prismpool.delivery.Generations;
import org.prismpool.delivery.IssuedJob;
import org.prismpool.delivery.JobTarget;
import org.prismpool.delivery.PreparedWork;

/** A client connection in memory: its event loop runs at once, or when the test says so. */
final class FakeTarget implements JobTarget<String, String> {

    /** A pair that the test decides about. */
    record Unsent(IssuedJob<String> job, BooleanSupplier wanted, CompletableFuture<Boolean> written) {}

    final long id;
    final List<IssuedJob<String>> written = new ArrayList<>();
    final List<DisconnectReason> disconnects = new ArrayList<>();
    final Deque<Runnable> loop = new ArrayDeque<>();
    final Deque<Unsent> unsent = new ArrayDeque<>();
    volatile Generations generations;
    volatile boolean eligible = true;
    volatile boolean closing;
    volatile long hashrate = 1;
    boolean loopStuck;
    boolean loopClosed;
    boolean kernelFull;
    boolean socketBroken;
    Runnable beforeStamp = () -> {};

    FakeTarget(long id) {
        this.id = id;
        this.generations = new Generations(1, 0, "worker." + id);
    }

    @Override
    public TargetState state() {
        return new TargetState(id, generations, eligible, closing, hashrate);
    }

    @Override
    public void execute(Runnable task) {
        if (loopClosed) {
            throw new RejectedExecutionException("loop is closed");
        }
        if (loopStuck) {
            loop.add(task);
        } else {
            task.run();
        }
    }

    void runLoop() {
        loopStuck = false;
        while (!loop.isEmpty()) {
            loop.remove().run();
        }
    }

    @Override
    public String stamp(PreparedWork<String> work, String jobId, boolean clean) {
        beforeStamp.run();
        return work.work() + " for " + id;
    }

    @Override
    public CompletionStage<Boolean> send(IssuedJob<String> job, BooleanSupplier stillWanted) {
        if (socketBroken) {
            return CompletableFuture.failedFuture(new java.io.IOException("broken pipe"));
        }
        if (kernelFull) {
            Unsent pair = new Unsent(job, stillWanted, new CompletableFuture<>());
            unsent.add(pair);
            return pair.written();
        }
        written.add(job);
        return CompletableFuture.completedFuture(true);
    }

    /** The kernel takes bytes again: pairs that are still wanted are written. */
    void flush() {
        kernelFull = false;
        while (!unsent.isEmpty()) {
            Unsent pair = unsent.remove();
            boolean wanted = pair.wanted().getAsBoolean();
            if (wanted) {
                written.add(pair.job());
            }
            pair.written().complete(wanted);
        }
    }

    @Override
    public void disconnect(DisconnectReason reason) {
        closing = true;
        disconnects.add(reason);
    }

    IssuedJob<String> last() {
        return written.get(written.size() - 1);
    }
}
