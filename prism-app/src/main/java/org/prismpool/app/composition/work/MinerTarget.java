package org.prismpool.app.composition.work;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.prismpool.delivery.Generations;
import org.prismpool.delivery.IssuedJob;
import org.prismpool.delivery.JobTarget;
import org.prismpool.delivery.PreparedWork;
import org.prismpool.stratum.DeliveryResult;
import org.prismpool.stratum.JobContext;
import org.prismpool.stratum.SessionView;
import org.prismpool.stratum.StratumConnection;
import org.prismpool.stratum.WorkerIdentity;

/**
 * A Stratum session as a target of job delivery.
 *
 * <p>The payload is empty when the session closed or changed between the check and the stamp; such a job is never written.
 */
final class MinerTarget implements JobTarget<PoolWork, Optional<JobContext>> {

    private final StratumConnection connection;

    MinerTarget(StratumConnection connection) {
        this.connection = connection;
    }

    @Override
    public TargetState state() {
        SessionView view = connection.view();
        Generations generations = new Generations(
                view.epoch().authorizationGeneration(),
                view.epoch().difficultyGeneration(),
                view.worker().map(WorkerIdentity::username).orElse(""));
        // Any fixed multiple of the hash rate will do: difficulty per share at one pace for all.
        long hashrate = view.desiredDifficulty()
                .movePointRight(9)
                .min(java.math.BigDecimal.valueOf(Long.MAX_VALUE))
                .longValue();
        return new TargetState(connection.id(), generations, view.eligible(), view.closing(), hashrate);
    }

    @Override
    public void execute(Runnable task) {
        if (!connection.execute(task)) {
            throw new RejectedExecutionException("the connection's event loop is gone");
        }
    }

    @Override
    public Optional<JobContext> stamp(PreparedWork<PoolWork> work, String jobId, boolean clean) {
        return connection.stamp(work.work().shared(), jobId);
    }

    @Override
    public CompletionStage<Boolean> send(IssuedJob<Optional<JobContext>> job, BooleanSupplier stillWanted) {
        if (job.payload().isEmpty()) {
            return CompletableFuture.completedFuture(false);
        }
        return connection.deliver(job.payload().get(), job.clean(), stillWanted).thenCompose(MinerTarget::written);
    }

    private static CompletionStage<Boolean> written(DeliveryResult result) {
        return switch (result) {
            case WRITTEN -> CompletableFuture.completedFuture(true);
            case REPLACED, DROPPED -> CompletableFuture.completedFuture(false);
            default ->
                CompletableFuture.failedFuture(new IllegalStateException("the connection closed during the write"));
        };
    }

    @Override
    public void disconnect(DisconnectReason reason) {
        connection.close(
                switch (reason) {
                    case FIRST_JOB_QUEUE_FULL -> org.prismpool.stratum.DisconnectReason.INITIAL_JOB_REFUSED;
                    case FIRST_JOB_TIMEOUT, FIRST_JOB_FAILED ->
                        org.prismpool.stratum.DisconnectReason.INITIAL_JOB_FAILED;
                    case DELIVERY_STUCK, SEND_FAILED -> org.prismpool.stratum.DisconnectReason.SLOW_READER;
                });
    }
}
