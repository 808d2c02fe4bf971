package org.prismpool.stratum.solo;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.stratum.DeliveryResult;
import org.prismpool.stratum.FoundJob;
import org.prismpool.stratum.InitialRequest;
import org.prismpool.stratum.JobContext;
import org.prismpool.stratum.JobDirectory;
import org.prismpool.stratum.JobIssuer;
import org.prismpool.stratum.JobOutcome;
import org.prismpool.stratum.JobPurpose;
import org.prismpool.stratum.JobRequest;
import org.prismpool.stratum.SharedWork;
import org.prismpool.stratum.StratumConnection;

/**
 * Hands out the work of a supplier: every request is served at once with the newest work, and {@link #publish} sends it to
 * everyone. Keeps 16 active jobs for each connection, and replaced ones for a while, also for a reconnecting miner.
 *
 * <p>Thread-safe. For pools whose work needs no gate and no queue; others bring their own issuer and directory.
 */
public final class SoloJobs implements JobIssuer, JobDirectory {

    private static final int MAX_ACTIVE = 16;

    private final Supplier<Optional<SharedWork>> newest;
    private final MonotonicClock clock;
    private final Retention retention;
    private final Map<Long, Jobs> connections = new ConcurrentHashMap<>();
    private final Detached detached;

    /**
     * How long replaced jobs may be submitted.
     *
     * @param time from the moment a job is replaced; zero keeps none
     * @param perConnection bound for each connection, the oldest leaves
     * @param afterDisconnect bound for all closed connections together; 0 keeps none
     */
    public record Retention(Duration time, int perConnection, int afterDisconnect) {

        /**
         * Returns the documented defaults: 30 s, 64 and 16384 jobs.
         *
         * @return the default retention
         */
        public static Retention defaults() {
            return new Retention(Duration.ofSeconds(30), 64, 16384);
        }
    }

    /** A replaced job. */
    private record Kept(JobContext job, long sinceNanos) {}

    /** Jobs of one connection. Guarded by itself. */
    private static final class Jobs {
        final StratumConnection connection;
        final LinkedHashMap<String, JobContext> active = new LinkedHashMap<>(2);
        final LinkedHashMap<String, Kept> retained = new LinkedHashMap<>(2);

        Jobs(StratumConnection connection) {
            this.connection = connection;
        }
    }

    /**
     * Creates an issuer with the default retention.
     *
     * @param newest newest work, or empty while there is none; called on event loops, must not block
     */
    public SoloJobs(Supplier<Optional<SharedWork>> newest) {
        this(newest, MonotonicClock.system(), Retention.defaults());
    }

    /**
     * Creates an issuer.
     *
     * @param newest newest work, or empty while there is none; called on event loops, must not block
     * @param clock clock of the retention
     * @param retention how long replaced jobs may be submitted
     */
    public SoloJobs(Supplier<Optional<SharedWork>> newest, MonotonicClock clock, Retention retention) {
        this.newest = newest;
        this.clock = clock;
        this.retention = retention;
        this.detached = new Detached(retention);
    }

    /**
     * Sends the newest work to every session that can take it.
     *
     * @param purpose why; decides the clean-jobs flag
     */
    public void publish(JobPurpose purpose) {
        for (Jobs jobs : connections.values()) {
            StratumConnection connection = jobs.connection;
            connection.execute(
                    () -> send(connection, JobRequest.of(connection.view().epoch(), purpose)));
        }
    }

    @Override
    public void connected(StratumConnection connection) {
        connections.put(connection.id(), new Jobs(connection));
    }

    @Override
    public void disconnected(StratumConnection connection) {
        Jobs jobs = connections.remove(connection.id());
        if (jobs != null) {
            synchronized (jobs) {
                long now = clock.nanoTime();
                jobs.retained.values().forEach(kept -> detached.add(kept.job(), kept.sinceNanos()));
                jobs.active.values().forEach(job -> detached.add(job, now));
            }
        }
    }

    @Override
    public InitialRequest requestInitial(StratumConnection connection, JobRequest request) {
        send(connection, request);
        return InitialRequest.QUEUED;
    }

    @Override
    public CompletionStage<JobOutcome> requestRetarget(StratumConnection connection, JobRequest request) {
        return send(connection, request);
    }

    private CompletionStage<JobOutcome> send(StratumConnection connection, JobRequest request) {
        Jobs jobs = connections.get(connection.id());
        Optional<JobContext> stamped = newest.get().flatMap(work -> connection.stamp(work, request));
        if (jobs == null || stamped.isEmpty()) {
            return CompletableFuture.completedFuture(JobOutcome.SKIPPED);
        }
        boolean clean = request.purpose().clean();
        register(jobs, stamped.get(), clean);
        return connection.deliver(stamped.get(), clean).thenApply(SoloJobs::outcome);
    }

    private static JobOutcome outcome(DeliveryResult result) {
        return switch (result) {
            case WRITTEN -> JobOutcome.DELIVERED;
            case REPLACED, DROPPED -> JobOutcome.SKIPPED;
            case CLOSED -> JobOutcome.SEND_FAILED;
        };
    }

    private void register(Jobs jobs, JobContext job, boolean clean) {
        synchronized (jobs) {
            int room = clean ? 0 : MAX_ACTIVE - 1;
            Iterator<JobContext> oldest = jobs.active.values().iterator();
            while (jobs.active.size() > room) {
                JobContext retired = oldest.next();
                oldest.remove();
                retain(jobs, retired);
            }
            jobs.active.put(job.jobId(), job);
        }
    }

    private void retain(Jobs jobs, JobContext job) {
        if (retention.time().isZero()) {
            return;
        }
        jobs.retained.put(job.jobId(), new Kept(job, clock.nanoTime()));
        if (jobs.retained.size() > retention.perConnection()) {
            Iterator<Kept> oldest = jobs.retained.values().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    @Override
    public Optional<FoundJob> find(long connectionId, String username, String jobId) {
        Jobs jobs = connections.get(connectionId);
        if (jobs == null) {
            return Optional.empty();
        }
        synchronized (jobs) {
            JobContext active = jobs.active.get(jobId);
            if (active != null) {
                return Optional.of(new FoundJob(active, FoundJob.Standing.ACTIVE));
            }
            Kept kept = jobs.retained.get(jobId);
            if (kept != null) {
                return alive(kept, retention, clock.nanoTime())
                        ? Optional.of(new FoundJob(kept.job(), FoundJob.Standing.RETAINED))
                        : Optional.empty();
            }
        }
        return detached.find(jobId, username, clock.nanoTime())
                .map(job -> new FoundJob(job, FoundJob.Standing.CROSS_CONNECTION));
    }

    private static boolean alive(Kept kept, Retention retention, long nowNanos) {
        return nowNanos - kept.sinceNanos() <= retention.time().toNanos();
    }

    /** Jobs of closed connections. Thread-safe: one private lock. */
    private static final class Detached {
        private final Map<String, Kept> jobs = new LinkedHashMap<>(); // guarded by this
        private final ArrayDeque<String> order = new ArrayDeque<>(); // guarded by this
        private final Retention retention;

        Detached(Retention retention) {
            this.retention = retention;
        }

        synchronized void add(JobContext job, long sinceNanos) {
            if (retention.time().isZero() || retention.afterDisconnect() == 0) {
                return;
            }
            jobs.put(job.jobId(), new Kept(job, sinceNanos));
            order.add(job.jobId());
            while (order.size() > retention.afterDisconnect()) {
                jobs.remove(order.remove());
            }
        }

        synchronized Optional<JobContext> find(String jobId, String username, long nowNanos) {
            return Optional.ofNullable(jobs.get(jobId))
                    .filter(kept -> alive(kept, retention, nowNanos))
                    .map(Kept::job)
                    .filter(job -> job.worker().username().equals(username));
        }
    }
}
