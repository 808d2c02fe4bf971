package org.prismpool.lifecycle.service;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.prismpool.lifecycle.shutdown.DrainStep;

/** One service and how far its start has come. Its monitor orders starts; the hook runs outside it. */
final class RegisteredService implements ServiceHandle {

    private static final Duration AFTER_INTERRUPT = Duration.ofMillis(100);

    private final ServiceSpec spec;
    private final Object identity;
    private final Function<ServiceSpec, Thread> threads;
    private final Heartbeats heartbeats;
    private final AtomicBoolean hookClaimed = new AtomicBoolean();
    private Optional<Thread> thread = Optional.empty(); // guarded by this

    RegisteredService(ServiceSpec spec, Object identity, Function<ServiceSpec, Thread> threads, Heartbeats heartbeats) {
        this.spec = spec;
        this.identity = identity;
        this.threads = threads;
        this.heartbeats = heartbeats;
    }

    ServiceSpec spec() {
        return spec;
    }

    boolean equivalentTo(ServiceSpec other, Object otherIdentity) {
        return identity.equals(otherIdentity)
                && spec.name().equals(other.name())
                && spec.threadName().equals(other.threadName())
                && spec.joinBound().equals(other.joinBound())
                && spec.watched() == other.watched()
                && spec.onFailure().equals(other.onFailure());
    }

    ServiceHandle start() {
        startThread();
        if (hookClaimed.compareAndSet(false, true)) {
            boolean done = false;
            try {
                spec.onStarted().run();
                done = true;
            } finally {
                hookClaimed.set(done);
            }
        }
        return this;
    }

    synchronized boolean started() {
        return thread.isPresent();
    }

    DrainStep drainStep() {
        return new DrainStep(spec.name(), spec.joinBound(), this::join);
    }

    @Override
    public String name() {
        return spec.name();
    }

    @Override
    public synchronized boolean running() {
        return thread.map(Thread::isAlive).orElse(false);
    }

    @Override
    public boolean join(Duration bound) throws InterruptedException {
        Optional<Thread> joined;
        synchronized (this) {
            joined = thread;
        }
        if (joined.isEmpty() || joined.get() == Thread.currentThread()) {
            return joined.isEmpty();
        }
        TimeUnit.NANOSECONDS.timedJoin(joined.get(), bound.toNanos());
        if (joined.get().isAlive()) {
            joined.get().interrupt();
            joined.get().join(AFTER_INTERRUPT.toMillis());
        }
        return !joined.get().isAlive();
    }

    private synchronized void startThread() {
        if (thread.isPresent()) {
            return;
        }
        Thread fresh = threads.apply(spec);
        if (spec.watched()) {
            heartbeats.register(spec.name());
        }
        boolean started = false;
        try {
            fresh.start();
            started = true;
        } finally {
            if (!started) {
                heartbeats.remove(spec.name());
            }
        }
        thread = Optional.of(fresh);
    }
}
