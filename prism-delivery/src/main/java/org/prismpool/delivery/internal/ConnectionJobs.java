package org.prismpool.delivery.internal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.prismpool.delivery.DeliveryConfig;
import org.prismpool.delivery.IssuedJob;
import org.prismpool.delivery.JobTarget;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * One connection: its slot, its active jobs and what was delivered to it.
 *
 * <p>Jobs are registered on the connection's event loop, in the order of the delivery slot; any thread may read. Fields
 * are guarded by this object's monitor, which is innermost: nothing is called while it is held.
 */
final class ConnectionJobs<W, J> {

    /** First work for a tip that the connection received. */
    record TipWork(String tip, long receivedNanos) {}

    final long id;
    final JobTarget<W, J> target;
    final DeliverySlot slot;
    private final Map<String, IssuedJob<J>> active = new LinkedHashMap<>();
    private Optional<IssuedJob<J>> current = Optional.empty();
    private Optional<IssuedJob<J>> delivered = Optional.empty();
    private Optional<TipWork> tipWork = Optional.empty();
    private long highestEpoch;
    private long lastNotifyNanos;

    ConnectionJobs(long id, JobTarget<W, J> target, MonotonicClock clock) {
        this.id = id;
        this.target = target;
        this.slot = new DeliverySlot(clock);
        this.lastNotifyNanos = clock.nanoTime();
    }

    /**
     * Registers a job as the active one.
     *
     * @return the jobs that are no longer active: all earlier ones for a clean job, else the oldest above the bound
     */
    synchronized List<IssuedJob<J>> register(IssuedJob<J> job) {
        List<IssuedJob<J>> evicted = new ArrayList<>();
        if (job.clean()) {
            evicted.addAll(active.values());
            active.clear();
        }
        active.put(job.id(), job);
        current = Optional.of(job);
        highestEpoch = Math.max(highestEpoch, job.key().epoch());
        var oldest = active.entrySet().iterator();
        for (int above = active.size() - DeliveryConfig.MAX_ACTIVE_JOBS; above > 0; above--) {
            evicted.add(oldest.next().getValue());
            oldest.remove();
        }
        return evicted;
    }

    /** Records that a job's bytes were written. */
    synchronized void delivered(IssuedJob<J> job, long nowNanos) {
        delivered = Optional.of(job);
        lastNotifyNanos = nowNanos;
        if (tipWork.filter(work -> work.tip().equals(job.key().tip())).isEmpty()) {
            tipWork = Optional.of(new TipWork(job.key().tip(), nowNanos));
        }
    }

    /** Records that a job's pair was dropped unwritten: the connection still works on what it got last. */
    synchronized void dropped(IssuedJob<J> job) {
        if (current.filter(now -> now.id().equals(job.id())).isPresent()) {
            current = delivered;
        }
    }

    /** Empties the connection; returns its active jobs. */
    synchronized List<IssuedJob<J>> clear() {
        List<IssuedJob<J>> all = new ArrayList<>(active.values());
        active.clear();
        current = Optional.empty();
        return all;
    }

    synchronized Optional<IssuedJob<J>> find(String jobId) {
        return Optional.ofNullable(active.get(jobId));
    }

    synchronized Optional<IssuedJob<J>> current() {
        return current;
    }

    synchronized Optional<IssuedJob<J>> delivered() {
        return delivered;
    }

    synchronized Optional<TipWork> tipWork() {
        return tipWork;
    }

    /** Lowest epoch that may still be registered. */
    synchronized long epochFloor() {
        return highestEpoch;
    }

    synchronized long lastNotifyNanos() {
        return lastNotifyNanos;
    }

    synchronized int activeCount() {
        return active.size();
    }
}
