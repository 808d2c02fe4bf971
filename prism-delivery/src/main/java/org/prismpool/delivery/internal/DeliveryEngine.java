package org.prismpool.delivery.internal;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.prismpool.delivery.CoverageView;
import org.prismpool.delivery.CurrentState;
import org.prismpool.delivery.DeliveryConfig;
import org.prismpool.delivery.DeliveryListener;
import org.prismpool.delivery.DeliveryOutcome;
import org.prismpool.delivery.DeliveryPorts;
import org.prismpool.delivery.DeliveryStats;
import org.prismpool.delivery.DirectCause;
import org.prismpool.delivery.FanoutCall;
import org.prismpool.delivery.FanoutSummary;
import org.prismpool.delivery.FirstJobOutcome;
import org.prismpool.delivery.FoundJob;
import org.prismpool.delivery.IssuedJob;
import org.prismpool.delivery.JobTarget;
import org.prismpool.delivery.TargetView;
import org.prismpool.delivery.TipChange;
import org.prismpool.delivery.WorkKey;
import org.prismpool.delivery.WorkQuery;
import org.prismpool.lifecycle.executor.ExecutorStats;

/**
 * Everything behind the facade: connections, lanes, retention, and the timer that gives waits up.
 *
 * @param <W> the work's type
 * @param <J> the job context's type
 */
public final class DeliveryEngine<W, J> {

    private static final Duration TICK = Duration.ofMillis(50);
    private static final long SWEEP_NANOS = Duration.ofSeconds(1).toNanos();
    private static final Duration JOIN_LIMIT = Duration.ofSeconds(20);

    private final DeliveryContext<W, J> context;
    private final FirstJobLane<W, J> firstJobs;
    private final DirectLane<W, J> direct;
    private final FanoutGauge fanout = new FanoutGauge();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread timer = new Thread(this::timerLoop, "prism-delivery-timer");
    private long sweptNanos; // timer thread only

    /**
     * Creates an engine at rest.
     *
     * @param config settings
     * @param ports neighbours
     */
    public DeliveryEngine(DeliveryConfig config, DeliveryPorts<W> ports) {
        DeliveryListener settling = new DeliveryListener() {
            @Override
            public void delivered(IssuedJob<?> job) {
                settleFirstJob(job);
                ports.listener().delivered(job);
            }

            @Override
            public void refreshWanted() {
                ports.listener().refreshWanted();
            }
        };
        this.context = new DeliveryContext<>(
                config, new DeliveryPorts<>(ports.work(), ports.gate(), settling, ports.metrics(), ports.clock()));
        this.firstJobs = new FirstJobLane<>(context);
        this.direct = new DirectLane<>(context);
        this.sweptNanos = context.now();
        timer.setDaemon(true);
    }

    /** Whichever lane delivers current work ends the connection's wait for its first job. */
    private void settleFirstJob(IssuedJob<?> job) {
        if (JobRules.isPublishedWork(job.key(), context.ports.work().state())) {
            firstJobs.served(job.connectionId());
        }
    }

    /** Starts the timer. */
    public void start() {
        if (closed()) {
            throw new IllegalStateException("closed before");
        }
        timer.start();
    }

    /** Stops and joins. */
    public void close() {
        closing.countDown();
        firstJobs.close(JOIN_LIMIT);
        direct.close(JOIN_LIMIT);
        if (timer.isAlive() && timer != Thread.currentThread()) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(timer, JOIN_LIMIT.toNanos());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Takes a connection in.
     *
     * @param target the connection
     */
    public void connected(JobTarget<W, J> target) {
        long id = target.state().connectionId();
        ConnectionJobs<W, J> connection = new ConnectionJobs<>(id, target, context.ports.clock());
        if (context.connections.putIfAbsent(id, connection) != null) {
            throw new IllegalStateException("connection " + id + " is known already");
        }
    }

    /**
     * Lets a connection go.
     *
     * @param connectionId the connection
     */
    public void disconnected(long connectionId) {
        Optional.ofNullable(context.connections.remove(connectionId)).ifPresent(connection -> {
            firstJobs.withdraw(connectionId);
            connection.slot.close();
            context.retain(connection.clear());
            context.retained.detach(connectionId, context.now());
        });
    }

    /**
     * Asks for a first job.
     *
     * @param connectionId the connection
     * @return what became of the request
     */
    public FirstJobOutcome requestFirstJob(long connectionId) {
        return context.connection(connectionId).map(firstJobs::request).orElse(FirstJobOutcome.NOT_ELIGIBLE);
    }

    /**
     * Delivers to one working connection.
     *
     * @param connectionId the connection
     * @param cause why
     * @return completes with the outcome
     */
    public CompletionStage<DeliveryOutcome> direct(long connectionId, DirectCause cause) {
        return context.connection(connectionId)
                .map(connection -> direct.deliver(connection, cause))
                .orElseGet(() -> CompletableFuture.completedFuture(DeliveryOutcome.DISCONNECTED));
    }

    /**
     * Selects eligible connections.
     *
     * @param query the work
     * @return the connections
     */
    public List<TargetView> select(WorkQuery query) {
        return context.connections.values().stream()
                .filter(connection -> connection.target.state().open())
                .map(connection -> view(connection, query))
                .toList();
    }

    private static <W, J> TargetView view(ConnectionJobs<W, J> connection, WorkQuery query) {
        Optional<IssuedJob<J>> active = connection.current();
        Optional<WorkKey> delivered = connection.delivered().map(IssuedJob::key);
        boolean needs = JobRules.needsWork(active.map(IssuedJob::key), delivered, query);
        return new TargetView(connection.id, active.map(IssuedJob::id), needs);
    }

    /**
     * Runs a fan-out on the calling thread.
     *
     * @param call what to deliver
     * @return what became of it
     * @throws InterruptedException if interrupted
     */
    public FanoutSummary fanOut(FanoutCall<W> call) throws InterruptedException {
        return new FanoutWave<>(context, call, this::closed, fanout).run();
    }

    /**
     * Finds a submitted job.
     *
     * @param connectionId the submitter
     * @param jobId the job
     * @param worker the submitter's username
     * @return the job
     */
    public Optional<FoundJob<J>> find(long connectionId, String jobId, String worker) {
        long now = context.now();
        Optional<IssuedJob<J>> active = context.connection(connectionId).flatMap(connection -> connection.find(jobId));
        if (active.isPresent()) {
            return Optional.of(found(active.get(), FoundJob.Source.ACTIVE, connectionId, now));
        }
        Optional<RetainedJobs.Found<J>> retained = context.retained.find(jobId, now);
        if (retained.isEmpty()) {
            return Optional.empty();
        }
        IssuedJob<J> job = retained.get().job();
        if (job.connectionId() == connectionId) {
            return Optional.of(found(job, FoundJob.Source.RETAINED, connectionId, now));
        }
        boolean sameWorker =
                retained.get().detached() && job.generations().worker().equals(worker);
        return sameWorker
                ? Optional.of(new FoundJob<>(
                        job, FoundJob.Source.CROSS_CONNECTION, retained.get().sameTip(), false))
                : Optional.empty();
    }

    private FoundJob<J> found(IssuedJob<J> job, FoundJob.Source source, long connectionId, long now) {
        boolean sameTip = context.retained
                .published()
                .map(tip -> tip.tip().equals(job.key().tip()))
                .orElse(true);
        boolean grace = !sameTip && context.retained.graceOpen(job.key().tip(), connectionId, now);
        return new FoundJob<>(job, source, sameTip, grace);
    }

    /**
     * Returns a connection's active job.
     *
     * @param connectionId the connection
     * @return its newest job
     */
    public Optional<IssuedJob<J>> activeJob(long connectionId) {
        return context.connection(connectionId).flatMap(ConnectionJobs::current);
    }

    /**
     * Takes a published tip over.
     *
     * @param change the tip
     */
    public void tipPublished(TipChange change) {
        context.retained.published(change, context.now());
    }

    /**
     * Starts an epoch's coverage clocks.
     *
     * @param epoch sequence
     */
    public void epochMinted(long epoch) {
        Map<Long, Long> weights = new HashMap<>();
        for (ConnectionJobs<W, J> connection : context.connections.values()) {
            JobTarget.TargetState state = connection.target.state();
            if (state.open()) {
                weights.put(connection.id, Math.max(0L, state.hashrate()));
            }
        }
        context.coverage.minted(epoch, weights, context.now());
    }

    /**
     * Counts current work.
     *
     * @return the counts
     */
    public CoverageView coverage() {
        CurrentState state = context.ports.work().state();
        int eligible = 0;
        int current = 0;
        int semantic = 0;
        int requiring = 0;
        int without = 0;
        for (ConnectionJobs<W, J> connection : context.connections.values()) {
            JobTarget.TargetState target = connection.target.state();
            if (!target.open()) {
                continue;
            }
            eligible++;
            Optional<IssuedJob<J>> job = connection.current();
            without += job.isEmpty() ? 1 : 0;
            boolean exact = JobRules.holdsPublishedWork(job, target.generations(), state);
            current += exact ? 1 : 0;
            semantic += job.filter(known -> JobRules.isSemanticallyCurrent(known.key(), state))
                            .isPresent()
                    ? 1
                    : 0;
            boolean delivered = connection
                    .delivered()
                    .filter(known -> JobRules.isSemanticallyCurrent(known.key(), state)
                            && !(known.key().collection() && state.ready()))
                    .isPresent();
            requiring += delivered ? 0 : 1;
        }
        return new CoverageView(eligible, current, semantic, requiring, without);
    }

    /**
     * Returns queue sizes.
     *
     * @return the sizes
     */
    public DeliveryStats stats() {
        Optional<ExecutorStats> pool = firstJobs.poolStats();
        OptionalLong oldest = firstJobs.oldestRequestNanos(connection -> true);
        OptionalLong unserved = firstJobs.oldestRequestNanos(this::neverServed);
        return new DeliveryStats(
                context.connections.size(),
                firstJobs.pending(),
                pool.map(ExecutorStats::queued).orElse(0),
                pool.map(ExecutorStats::active).orElse(0),
                context.config.firstJobs().workers(),
                age(oldest),
                age(unserved),
                fanout.inFlight.get(),
                fanout.queued.get(),
                fanout.width.get(),
                context.connections.values().stream()
                        .mapToInt(ConnectionJobs::activeCount)
                        .sum(),
                context.retained.sameTipCount(),
                context.retained.staleGraceCount());
    }

    private boolean neverServed(long connectionId) {
        return context.connection(connectionId)
                .map(connection -> connection.delivered().isEmpty())
                .orElse(false);
    }

    private OptionalLong age(OptionalLong sinceNanos) {
        return sinceNanos.isPresent() ? OptionalLong.of(context.now() - sinceNanos.getAsLong()) : sinceNanos;
    }

    /** Looks at every wait, and once per second at everything that has a clock of its own. */
    void tick() {
        context.waits.poll();
        long now = context.now();
        if (now - sweptNanos >= SWEEP_NANOS) {
            sweptNanos = now;
            firstJobs.sweep();
            direct.keepAlive();
            context.retained.pruneIfDue(now);
            retireStuck(now);
        }
    }

    /** A slot that is held longer than a send may take belongs to a connection that is dead in all but name. */
    private void retireStuck(long now) {
        long limit = context.config.bounds().send().toNanos();
        for (ConnectionJobs<W, J> connection : context.connections.values()) {
            OptionalLong since = connection.slot.heldSinceNanos();
            boolean stuck = since.isPresent() && now - since.getAsLong() > limit;
            if (stuck && !connection.target.state().closing()) {
                connection.slot.close();
                context.guarded(
                        "disconnect", () -> connection.target.disconnect(JobTarget.DisconnectReason.DELIVERY_STUCK));
            }
        }
    }

    private boolean closed() {
        return closing.getCount() == 0;
    }

    private void timerLoop() {
        try {
            while (!closing.await(TICK.toNanos(), TimeUnit.NANOSECONDS)) {
                context.guarded("timer", this::tick);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
