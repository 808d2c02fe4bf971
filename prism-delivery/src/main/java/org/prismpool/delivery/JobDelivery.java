package org.prismpool.delivery;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.prismpool.delivery.internal.DeliveryEngine;

/**
 * Delivers jobs to client connections of any kind: first jobs, fan-outs of new work, difficulty changes and keep-alive
 * jobs, and remembers which jobs a submit may still name (spec 07 §7).
 *
 * <p>Thread-safe. Nothing here waits on a connection's event loop; one stuck client delays only itself. Threads: one
 * timer ({@code prism-delivery-timer}), the first-job pool ({@code prism-delivery-first-job}) and a pool for direct and
 * keep-alive work ({@code prism-delivery-direct}); a fan-out runs on its caller's thread.
 *
 * @param <W> the work's type
 * @param <J> the job context's type
 */
public final class JobDelivery<W, J> implements AutoCloseable {

    private final DeliveryEngine<W, J> engine;

    private JobDelivery(DeliveryEngine<W, J> engine) {
        this.engine = engine;
    }

    /**
     * Creates a delivery owner.
     *
     * @param config settings
     * @param ports what it needs
     * @param <W> the work's type
     * @param <J> the job context's type
     * @return an owner that is not started
     */
    public static <W, J> JobDelivery<W, J> create(DeliveryConfig config, DeliveryPorts<W> ports) {
        Objects.requireNonNull(config, "config");
        Objects.requireNonNull(ports, "ports");
        return new JobDelivery<>(new DeliveryEngine<>(config, ports));
    }

    /**
     * Starts the timer. Deliveries may be asked for before, but nothing that waits makes progress until then.
     *
     * @throws IllegalStateException if started or closed before
     */
    public void start() {
        engine.start();
    }

    /**
     * Stops for good: running fan-outs are cancelled, queued first jobs are dropped, threads are joined within about
     * 20 s. Idempotent.
     */
    @Override
    public void close() {
        engine.close();
    }

    /**
     * Takes a connection in. To be called once, before anything else names its number.
     *
     * @param target the connection
     * @throws IllegalStateException if its number is in use
     */
    public void connected(JobTarget<W, J> target) {
        engine.connected(Objects.requireNonNull(target, "target"));
    }

    /**
     * Lets a connection go: its first-job request is withdrawn, its jobs of the published tip stay valid for a while.
     *
     * @param connectionId the connection; unknown numbers are ignored
     */
    public void disconnected(long connectionId) {
        engine.disconnected(connectionId);
    }

    /**
     * Asks for the first job of a connection: after subscribe and authorize, after a re-authorize or a difficulty change
     * before the first job. Returns at once; the job follows, or the connection is closed.
     *
     * @param connectionId the connection
     * @return what became of the request
     */
    public FirstJobOutcome requestFirstJob(long connectionId) {
        return engine.requestFirstJob(connectionId);
    }

    /**
     * Gives a working connection a job of its own: after a vardiff step, an explicit difficulty or a re-authorize.
     *
     * @param connectionId the connection
     * @param cause why
     * @return completes with what became of it; a failure keeps the connection and its old job
     */
    public CompletionStage<DeliveryOutcome> deliver(long connectionId, DirectCause cause) {
        return engine.direct(connectionId, Objects.requireNonNull(cause, "cause"));
    }

    /**
     * Returns every eligible connection, with whether it needs some work.
     *
     * @param query the work
     * @return the connections, in no particular order
     */
    public List<TargetView> select(WorkQuery query) {
        return engine.select(Objects.requireNonNull(query, "query"));
    }

    /**
     * Delivers work to many connections on the calling thread, and returns when each has an outcome, or the fan-out was
     * stopped, or its deadline passed. Deliveries that were handed to their connection are waited for within the
     * deadline; after this returns no further job of this fan-out is registered.
     *
     * @param call what to deliver to whom
     * @return what became of it
     * @throws InterruptedException if the caller is interrupted
     */
    public FanoutSummary fanOut(FanoutCall<W> call) throws InterruptedException {
        return engine.fanOut(Objects.requireNonNull(call, "call"));
    }

    /**
     * Finds the job that a submit names.
     *
     * @param connectionId the submitting connection
     * @param jobId the named job
     * @param worker full username that the submitter is authorized with
     * @return the job, or empty if no such job may be submitted here
     */
    public Optional<FoundJob<J>> find(long connectionId, String jobId, String worker) {
        return engine.find(
                connectionId, Objects.requireNonNull(jobId, "jobId"), Objects.requireNonNull(worker, "worker"));
    }

    /**
     * Returns the job that a connection works on.
     *
     * @param connectionId the connection
     * @return its newest registered job
     */
    public Optional<IssuedJob<J>> activeJob(long connectionId) {
        return engine.activeJob(connectionId);
    }

    /**
     * Takes a published tip over: retained jobs are classified anew and pruned.
     *
     * @param change the tip
     */
    public void tipPublished(TipChange change) {
        engine.tipPublished(Objects.requireNonNull(change, "change"));
    }

    /**
     * Starts the coverage clocks of a refresh epoch; the eligible connections of this instant are its cohort.
     *
     * @param epoch sequence of the epoch
     */
    public void epochMinted(long epoch) {
        engine.epochMinted(epoch);
    }

    /**
     * Returns how many connections have current work.
     *
     * @return one consistent copy
     */
    public CoverageView coverage() {
        return engine.coverage();
    }

    /**
     * Returns sizes and ages of the queues.
     *
     * @return one copy, each number current by itself
     */
    public DeliveryStats stats() {
        return engine.stats();
    }
}
