package org.prismpool.stratum.internal;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.prismpool.stratum.StratumMetrics;
import org.prismpool.stratum.StratumMetrics.IdleSkip;
import org.prismpool.stratum.session.Session;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Idle steps under way: two at a time, eight with those that wait, one for each session (spec 02 §8.6). Thread-safe: one
 * private lock, left before a step starts.
 */
final class IdleQueue {

    private static final Logger LOG = LoggerFactory.getLogger(IdleQueue.class);
    private static final int RUNNING = 2;
    private static final int TOTAL = 8;

    private final ServerContext server;
    private final ArrayDeque<Session> waiting = new ArrayDeque<>(); // guarded by this
    private final Set<Session> members = new HashSet<>(); // guarded by this
    private int running; // guarded by this

    IdleQueue(ServerContext server) {
        this.server = server;
    }

    /** Takes an idle session's step; called on its event loop. */
    void offer(Session session) {
        IdleSkip skip = null;
        synchronized (this) {
            if (members.contains(session)) {
                skip = IdleSkip.SUPERSEDED;
            } else if (session.busy()) {
                skip = IdleSkip.BUSY;
            } else if (members.size() >= TOTAL) {
                skip = IdleSkip.QUEUE_FULL;
            } else {
                members.add(session);
                waiting.add(session);
            }
        }
        if (skip != null) {
            metrics().idleSkipped(skip);
        } else {
            if (!server.ports().issuer().hasWorkAtHand(session)) {
                metrics().idleSkipped(IdleSkip.CACHE_MISS);
            }
            startNext();
        }
    }

    private void startNext() {
        Session next = takeNext();
        while (next != null) {
            start(next);
            next = takeNext();
        }
    }

    private synchronized @Nullable Session takeNext() {
        if (running >= RUNNING || waiting.isEmpty()) {
            return null;
        }
        running++;
        return waiting.remove();
    }

    private void start(Session session) {
        long startNanos = server.now();
        AtomicBoolean over = new AtomicBoolean();
        boolean alive = session.execute(() -> {
            try {
                session.stepDownIdle((skipped, failed, delivered) -> {
                    StratumMetrics metrics = metrics();
                    metrics.idleTask(server.now() - startNanos, failed);
                    skipped.ifPresent(metrics::idleSkipped);
                    if (delivered) {
                        metrics.idleRetarget();
                    }
                    ended(session, over);
                });
            } catch (RuntimeException fault) {
                LOG.atError()
                        .setCause(fault)
                        .addKeyValue("connection", session.id())
                        .log("idle step failed unexpectedly");
                ended(session, over);
            }
        });
        if (!alive) {
            ended(session, over);
        }
    }

    /** Gives the place of a step back, once, however the step ends. */
    private void ended(Session session, AtomicBoolean over) {
        if (!over.compareAndSet(false, true)) {
            return;
        }
        synchronized (this) {
            running--;
            members.remove(session);
        }
        startNext();
    }

    private StratumMetrics metrics() {
        return server.ports().metrics();
    }

    synchronized int queued() {
        return waiting.size();
    }

    synchronized int running() {
        return running;
    }
}
