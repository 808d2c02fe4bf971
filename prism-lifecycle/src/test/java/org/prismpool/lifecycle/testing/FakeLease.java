package org.prismpool.lifecycle.testing;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.prismpool.lifecycle.shutdown.LeasePort;
import org.prismpool.lifecycle.time.Deadline;

/** A lease that records what is asked of it and answers as the test says. Thread-safe. */
public final class FakeLease implements LeasePort {

    private final AtomicInteger releases = new AtomicInteger();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile Function<Deadline, Outcome> answer = deadline -> Outcome.SUCCESS;
    private volatile Function<Set<Thread>, Boolean> heartbeat = waiting -> true;

    public FakeLease answering(Function<Deadline, Outcome> release) {
        answer = release;
        return this;
    }

    public FakeLease stoppingHeartbeat(Function<Set<Thread>, Boolean> stop) {
        heartbeat = stop;
        return this;
    }

    @Override
    public boolean supported() {
        return true;
    }

    @Override
    public boolean stopHeartbeat(Duration bound, Set<Thread> waitingForRelease) {
        calls.add("stopHeartbeat");
        return heartbeat.apply(waitingForRelease);
    }

    @Override
    public Outcome release(Deadline deadline) {
        calls.add("release");
        releases.incrementAndGet();
        return answer.apply(deadline);
    }

    @Override
    public Outcome releaseFreshConnection(Deadline deadline) {
        calls.add("releaseFreshConnection");
        releases.incrementAndGet();
        return answer.apply(deadline);
    }

    public int releases() {
        return releases.get();
    }

    public List<String> calls() {
        return calls;
    }
}
