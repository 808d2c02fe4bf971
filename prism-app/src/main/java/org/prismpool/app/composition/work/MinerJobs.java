package org.prismpool.app.composition.work;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.prismpool.app.composition.backend.Connections;
import org.prismpool.bundle.BundleService;
import org.prismpool.delivery.DeliveryOutcome;
import org.prismpool.delivery.DirectCause;
import org.prismpool.delivery.JobDelivery;
import org.prismpool.refresh.TipRefresher;
import org.prismpool.stratum.FoundJob;
import org.prismpool.stratum.InitialRequest;
import org.prismpool.stratum.JobContext;
import org.prismpool.stratum.JobDirectory;
import org.prismpool.stratum.JobIssuer;
import org.prismpool.stratum.JobOutcome;
import org.prismpool.stratum.JobRequest;
import org.prismpool.stratum.StratumConnection;
import org.prismpool.templates.TemplateObservation;

/** Gives the Stratum server its jobs through job delivery, and finds them again for submits. */
public final class MinerJobs implements JobIssuer, JobDirectory {

    private final JobDelivery<PoolWork, Optional<JobContext>> delivery;
    private final TipRefresher<TemplateObservation, PoolWork> refresher;
    private final Connections connections;
    private final BundleService bundles;
    private final int pendingBound;

    public MinerJobs(
            JobDelivery<PoolWork, Optional<JobContext>> delivery,
            TipRefresher<TemplateObservation, PoolWork> refresher,
            Connections connections,
            BundleService bundles,
            int pendingBound) {
        this.delivery = delivery;
        this.refresher = refresher;
        this.connections = connections;
        this.bundles = bundles;
        this.pendingBound = pendingBound;
    }

    @Override
    public void connected(StratumConnection connection) {
        connections.add(connection);
        delivery.connected(new MinerTarget(connection));
    }

    @Override
    public void disconnected(StratumConnection connection) {
        delivery.disconnected(connection.id());
        connections.remove(connection);
    }

    @Override
    public boolean hasInitialCapacity(StratumConnection connection) {
        return delivery.stats().firstJobsPending() < pendingBound;
    }

    @Override
    public InitialRequest requestInitial(StratumConnection connection, JobRequest request) {
        InitialRequest answer = switch (delivery.requestFirstJob(connection.id())) {
            case QUEUED, REPLACED -> InitialRequest.QUEUED;
            case COALESCED -> InitialRequest.COALESCED;
            case ALREADY_SERVED, NOT_ELIGIBLE -> InitialRequest.ALREADY_CURRENT;
            case REJECTED, CLOSED -> InitialRequest.REFUSED;
        };
        refresher.clientEligible();
        return answer;
    }

    @Override
    public boolean hasWorkAtHand(StratumConnection connection) {
        return refresher
                .authority()
                .work()
                .flatMap(work -> bundles.probe(work.snapshot().template(), connections.identity(connection.id())))
                .isPresent();
    }

    @Override
    public CompletionStage<JobOutcome> requestRetarget(StratumConnection connection, JobRequest request) {
        DirectCause cause = switch (request.purpose()) {
            case STEP_UP -> DirectCause.VARDIFF_UP;
            case STEP_DOWN -> DirectCause.VARDIFF_DOWN;
            case IDLE_STEP_DOWN -> DirectCause.IDLE_VARDIFF_DOWN;
            case INITIAL -> DirectCause.REAUTHORIZED;
            case EXPLICIT, NEW_WORK, SAME_TIP, KEEP_ALIVE -> DirectCause.DIFFICULTY_REQUEST;
        };
        return delivery.deliver(connection.id(), cause).thenApply(MinerJobs::outcome);
    }

    private static JobOutcome outcome(DeliveryOutcome outcome) {
        return switch (outcome) {
            case SENT -> JobOutcome.DELIVERED;
            case FAILED -> JobOutcome.BUILD_FAILED;
            case DISCONNECTED -> JobOutcome.SEND_FAILED;
            case SLOT_BUSY -> JobOutcome.BUSY;
            case NOT_NEEDED, STALE, GATE_REFUSED, NO_WORK, QUEUE_FULL, CANCELLED -> JobOutcome.SKIPPED;
        };
    }

    @Override
    public Optional<FoundJob> find(long connectionId, String username, String jobId) {
        return delivery.find(connectionId, jobId, username)
                .flatMap(found -> found.job()
                        .payload()
                        .map(job -> new FoundJob(
                                job,
                                switch (found.source()) {
                                    case ACTIVE -> FoundJob.Standing.ACTIVE;
                                    case RETAINED -> FoundJob.Standing.RETAINED;
                                    case CROSS_CONNECTION -> FoundJob.Standing.CROSS_CONNECTION;
                                })));
    }
}
