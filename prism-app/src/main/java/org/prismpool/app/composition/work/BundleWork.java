package org.prismpool.app.composition.work;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.prismpool.app.composition.backend.Connections;
import org.prismpool.bundle.BundleException;
import org.prismpool.bundle.BundleFailure;
import org.prismpool.bundle.BundleRequest;
import org.prismpool.bundle.BundleService;
import org.prismpool.bundle.CollectionIdentity;
import org.prismpool.bundle.PriorityReservation;
import org.prismpool.bundle.WorkBundle;
import org.prismpool.refresh.BuiltWork;
import org.prismpool.refresh.FailureKind;
import org.prismpool.refresh.TimeoutLabel;
import org.prismpool.refresh.WorkBuilder;
import org.prismpool.refresh.WorkIdentity;
import org.prismpool.refresh.WorkMode;
import org.prismpool.stratum.SharedWork;
import org.prismpool.stratum.WorkLabels;
import org.prismpool.templates.TemplateObservation;
import org.prismpool.templates.chain.Hash256;

/** Lets the refresher build work with the bundle service. */
public final class BundleWork implements WorkBuilder<TemplateObservation, PoolWork> {

    private final BundleService bundles;
    private final Connections connections;
    private final WorkEncodings encodings;
    private final Supplier<OptionalLong> helperPid;

    public BundleWork(
            BundleService bundles, Connections connections, WorkEncodings encodings, Supplier<OptionalLong> helperPid) {
        this.bundles = bundles;
        this.connections = connections;
        this.encodings = encodings;
        this.helperPid = helperPid;
    }

    @Override
    public Reservation reserve(long requestedAtNanos) {
        PriorityReservation reservation = bundles.reserve();
        return reservation::close;
    }

    @Override
    public CompletableFuture<BuildAnswer<TemplateObservation, PoolWork>> ready(BuildCall<TemplateObservation> call) {
        return build(call, BundleRequest.publication(call.snapshot().template(), call.requestedAtNanos()));
    }

    @Override
    public CompletableFuture<BuildAnswer<TemplateObservation, PoolWork>> collection(
            BuildCall<TemplateObservation> call, long connectionId) {
        Optional<CollectionIdentity> worker = connections.identity(connectionId);
        if (worker.isEmpty()) {
            return CompletableFuture.completedFuture(
                    new NotBuilt<>(FailureKind.SUPERSEDED, TimeoutLabel.REFRESH, "the miner is gone"));
        }
        return build(
                call, BundleRequest.routine(call.snapshot().template(), worker.get(), false, call.requestedAtNanos()));
    }

    @Override
    public void cancelObsolete(Predicate<Hash256> wanted, String reason) {
        bundles.cancelObsolete(key -> wanted.test(key.template().previousBlock()), reason);
    }

    @Override
    public OptionalLong helperPid() {
        return helperPid.get();
    }

    private CompletableFuture<BuildAnswer<TemplateObservation, PoolWork>> build(
            BuildCall<TemplateObservation> call, BundleRequest request) {
        return bundles.request(request, call.deadline(), call.cancel())
                .handle((bundle, failure) -> failure == null ? new Built<>(built(bundle)) : notBuilt(failure));
    }

    private static NotBuilt<TemplateObservation, PoolWork> notBuilt(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof BundleException known) {
            return new NotBuilt<>(
                    kind(known.failure()), TimeoutLabel.ofWireName(known.phase()), String.valueOf(known.getMessage()));
        }
        return new NotBuilt<>(FailureKind.BLOCKED, TimeoutLabel.REFRESH, String.valueOf(cause.getMessage()));
    }

    private static FailureKind kind(BundleFailure failure) {
        return switch (failure) {
            case SUPERSEDED, CANCELLED -> FailureKind.SUPERSEDED;
            case PAYOUT_PENDING -> FailureKind.PAYOUT_PENDING;
            case PHASE_TIMEOUT -> FailureKind.PHASE_TIMEOUT;
            case BLOCKED, IDENTITY_UNAVAILABLE, ADMISSION_DEADLINE -> FailureKind.BLOCKED;
            case SHUTDOWN -> FailureKind.SHUTDOWN;
        };
    }

    /** Wraps a bundle as work: encoded once, with the identities that refresh and delivery compare. */
    private BuiltWork<TemplateObservation, PoolWork> built(WorkBundle bundle) {
        return new BuiltWork<>(identity(bundle), bundle.template(), encodings.of(bundle));
    }

    static PoolWork work(WorkBundle bundle) {
        WorkLabels labels = new WorkLabels(bundle.payoutGeneration(), 0, bundle.collectionOnly(), bundle);
        return new PoolWork(bundle, new SharedWork(bundle.work(), labels));
    }

    static WorkIdentity identity(WorkBundle bundle) {
        return new WorkIdentity(
                bundle.template().parent(),
                bundle.template().fingerprint().hex(),
                bundle.template().generation(),
                bundle.payoutGeneration(),
                bundle.payoutDigest(),
                bundle.appendEpoch(),
                bundle.collectionOnly() ? WorkMode.COLLECTION : WorkMode.READY);
    }
}
