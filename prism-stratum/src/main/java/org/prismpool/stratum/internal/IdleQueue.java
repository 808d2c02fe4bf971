package org.prismpool.stratum.internal;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.prismpool.stratum.StratumMetrics;
import org.prismpool.stratum.StratumMetrics.IdleSkip;
import org.prismpool.stratum.session.Session;

/**
 * Idle steps under way: two at a time, eight with those that wait, one for each session (spec 02 §8.6). Thread-safe: one
 * private lock, left before a step starts.
 */
final class IdleQueue {

    private static final int RUNNING = 2;
    private static final int TOTAL = 8;

    private final ServerContext server;
    private final ArrayDeque<Session> waiting = new ArrayDeque<>(); // guarded by this
    private final Set<Session> members = new HashSet<>(); // guarded by this
    private int running; // guarded by this

    IdleQueue(ServerContext server) {
        this.server = server;
    }

    void offer(Session session) {
        IdleSkip skip = null;
        synchronized (this) {
            if (members.contains(session)) {
                skip = IdleSkip.SUPERSEDED;
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
        boolean alive = session.execute(() -> session.stepDownIdle((skipped, failed, delivered) -> {
            StratumMetrics metrics = metrics();
            metrics.idleTask(server.now() - startNanos, failed);
            if (skipped) {
                boolean gone = session.view().closing();
                metrics.idleSkipped(gone ? IdleSkip.DISCONNECTED : IdleSkip.NOT_IDLE);
            }
            if (delivered) {
                metrics.idleRetarget();
            }
            ended(session);
        }));
        if (!alive) {
            ended(session);
        }
    }

    private void ended(Session session) {
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
