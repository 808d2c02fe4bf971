package org.prismpool.delivery.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import org.prismpool.delivery.DeliveryConfig;
import org.prismpool.delivery.DeliveryMetrics;
import org.prismpool.delivery.IssuedJob;
import org.prismpool.delivery.TipChange;

/**
 * Jobs that are no longer active but may still be submitted (spec 07 §7.6).
 *
 * <p>Guarded by this object's monitor; short, no I/O. Lookups are O(1) and check expiry again; pruning runs at most once
 * per second unless a published tip forces it. Counts go out after the monitor is released.
 */
final class RetainedJobs<J> {

    private static final long PRUNE_NANOS = Duration.ofSeconds(1).toNanos();

    /** One retained job. {@code detached}: its connection is closed. */
    private static final class Entry<J> {
        private final IssuedJob<J> job;
        private final long evictedNanos;
        private boolean sameTip;
        private boolean detached;

        private Entry(IssuedJob<J> job, long evictedNanos, boolean sameTip) {
            this.job = job;
            this.evictedNanos = evictedNanos;
            this.sameTip = sameTip;
        }
    }

    /**
     * A lookup's result.
     *
     * @param detached whether the job's connection is closed
     */
    record Found<J>(IssuedJob<J> job, boolean sameTip, boolean detached) {}

    /** What an operation dropped. */
    private static final class Dropped {
        private int expiredSameTip;
        private int expiredGrace;
        private int evictedConnection;
        private int evictedDetached;
    }

    private final DeliveryConfig.Retention limits;
    private final DeliveryMetrics metrics;
    private final LongFunction<Optional<ConnectionJobs.TipWork>> tipWork;
    private final Map<String, Entry<J>> byId = new HashMap<>();
    private final Map<Long, Deque<Entry<J>>> perConnection = new HashMap<>();
    private final Map<String, Entry<J>> detached = new LinkedHashMap<>();
    private Optional<TipChange> published = Optional.empty();
    private Optional<Long> prunedNanos = Optional.empty();
    private int sameTipCount;

    /**
     * Creates an empty set.
     *
     * @param tipWork first work that a connection received for its newest tip
     */
    RetainedJobs(
            DeliveryConfig.Retention limits,
            DeliveryMetrics metrics,
            LongFunction<Optional<ConnectionJobs.TipWork>> tipWork) {
        this.limits = limits;
        this.metrics = metrics;
        this.tipWork = tipWork;
    }

    /** Retains a job that is no longer active on its live connection. */
    void retain(IssuedJob<J> job, long nowNanos) {
        Dropped dropped = new Dropped();
        synchronized (this) {
            Entry<J> entry = new Entry<>(job, nowNanos, isSameTip(job));
            if (!expired(entry, nowNanos)) {
                byId.put(job.id(), entry);
                perConnection
                        .computeIfAbsent(job.connectionId(), id -> new ArrayDeque<>())
                        .add(entry);
                sameTipCount += entry.sameTip ? 1 : 0;
                boundConnection(job.connectionId(), dropped);
            }
            pruneIfDue(nowNanos, dropped);
        }
        count(dropped);
    }

    /** Detaches a closed connection: its same-tip jobs stay for a while, the others go. */
    void detach(long connectionId, long nowNanos) {
        Dropped dropped = new Dropped();
        synchronized (this) {
            Deque<Entry<J>> entries =
                    Optional.ofNullable(perConnection.remove(connectionId)).orElseGet(ArrayDeque::new);
            for (Entry<J> entry : entries) {
                if (!entry.sameTip || limits.disconnected() == 0 || expired(entry, nowNanos)) {
                    forget(entry);
                } else {
                    entry.detached = true;
                    detached.put(entry.job.id(), entry);
                }
            }
            boundDetached(dropped);
            pruneIfDue(nowNanos, dropped);
        }
        count(dropped);
    }

    /** Classifies everything for a published tip, and prunes. */
    void published(TipChange change, long nowNanos) {
        Dropped dropped = new Dropped();
        synchronized (this) {
            published = Optional.of(change);
            sameTipCount = 0;
            for (Entry<J> entry : byId.values()) {
                entry.sameTip = isSameTip(entry.job);
                sameTipCount += entry.sameTip ? 1 : 0;
            }
            prune(nowNanos, dropped);
            List.copyOf(perConnection.keySet()).forEach(connection -> boundConnection(connection, dropped));
        }
        count(dropped);
    }

    synchronized Optional<TipChange> published() {
        return published;
    }

    synchronized Optional<Found<J>> find(String jobId, long nowNanos) {
        return Optional.ofNullable(byId.get(jobId))
                .filter(entry -> !expired(entry, nowNanos))
                .map(entry -> new Found<>(entry.job, entry.sameTip, entry.detached));
    }

    void pruneIfDue(long nowNanos) {
        Dropped dropped = new Dropped();
        synchronized (this) {
            pruneIfDue(nowNanos, dropped);
        }
        count(dropped);
    }

    synchronized int sameTipCount() {
        return sameTipCount;
    }

    synchronized int staleGraceCount() {
        return byId.size() - sameTipCount;
    }

    /** Tells whether the stale grace is open for a job of a connection (spec 02 §7.4). */
    synchronized boolean graceOpen(String jobTip, long connectionId, long nowNanos) {
        if (limits.staleGrace().isZero() || published.isEmpty()) {
            return false;
        }
        TipChange tip = published.get();
        boolean oneBehind = tip.parent().filter(jobTip::equals).isPresent();
        return oneBehind && tip.flipNanos().isPresent() && !graceOver(tip, connectionId, nowNanos);
    }

    private boolean graceOver(TipChange tip, long connectionId, long nowNanos) {
        return tipWork.apply(connectionId)
                .filter(work -> work.tip().equals(tip.tip())
                        && nowNanos - work.receivedNanos() > limits.staleGrace().toNanos())
                .isPresent();
    }

    private boolean isSameTip(IssuedJob<J> job) {
        return published.map(tip -> tip.tip().equals(job.key().tip())).orElse(true);
    }

    private boolean expired(Entry<J> entry, long nowNanos) {
        if (entry.sameTip || entry.detached) { // a detached job of an old tip is answered as stale, never credited
            return limits.sameTip().isZero()
                    || nowNanos - entry.evictedNanos > limits.sameTip().toNanos();
        }
        if (limits.staleGrace().isZero()) {
            return true;
        }
        TipChange tip = published.orElseThrow();
        boolean known = tip.parent().isPresent();
        return tip.flipNanos().isEmpty()
                || (known && !tip.parent().get().equals(entry.job.key().tip()))
                || graceOver(tip, entry.job.connectionId(), nowNanos);
    }

    private void pruneIfDue(long nowNanos, Dropped dropped) {
        if (prunedNanos.isEmpty() || nowNanos - prunedNanos.get() >= PRUNE_NANOS) {
            prune(nowNanos, dropped);
        }
    }

    private void prune(long nowNanos, Dropped dropped) {
        prunedNanos = Optional.of(nowNanos);
        for (Iterator<Entry<J>> all = byId.values().iterator(); all.hasNext(); ) {
            Entry<J> entry = all.next();
            if (expired(entry, nowNanos)) {
                all.remove();
                unlink(entry);
                if (entry.sameTip) {
                    sameTipCount--;
                    dropped.expiredSameTip++;
                } else {
                    dropped.expiredGrace++;
                }
            }
        }
    }

    private void boundConnection(long connectionId, Dropped dropped) {
        Deque<Entry<J>> entries = perConnection.get(connectionId);
        if (entries == null) {
            return;
        }
        long above = entries.stream().filter(entry -> entry.sameTip).count() - limits.sameTipPerConnection();
        for (Iterator<Entry<J>> oldest = entries.iterator(); above > 0 && oldest.hasNext(); ) {
            Entry<J> entry = oldest.next();
            if (entry.sameTip) {
                oldest.remove();
                forget(entry);
                dropped.evictedConnection++;
                above--;
            }
        }
    }

    private void boundDetached(Dropped dropped) {
        for (Iterator<Entry<J>> oldest = detached.values().iterator();
                detached.size() > limits.disconnected() && oldest.hasNext(); ) {
            Entry<J> entry = oldest.next();
            oldest.remove();
            forget(entry);
            dropped.evictedDetached++;
        }
    }

    private void forget(Entry<J> entry) {
        if (byId.remove(entry.job.id(), entry) && entry.sameTip) {
            sameTipCount--;
        }
    }

    private void unlink(Entry<J> entry) {
        detached.remove(entry.job.id());
        Deque<Entry<J>> entries = perConnection.get(entry.job.connectionId());
        if (entries != null && entries.remove(entry) && entries.isEmpty()) {
            perConnection.remove(entry.job.connectionId());
        }
    }

    private void count(Dropped dropped) {
        for (int i = 0; i < dropped.expiredSameTip; i++) {
            metrics.retainedExpired(true);
        }
        for (int i = 0; i < dropped.expiredGrace; i++) {
            metrics.retainedExpired(false);
        }
        for (int i = 0; i < dropped.evictedConnection; i++) {
            metrics.retainedEvicted(false);
        }
        for (int i = 0; i < dropped.evictedDetached; i++) {
            metrics.retainedEvicted(true);
        }
    }
}
