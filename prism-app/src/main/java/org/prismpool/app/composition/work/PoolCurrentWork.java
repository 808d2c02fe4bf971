package org.prismpool.app.composition.work;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.prismpool.app.composition.backend.Connections;
import org.prismpool.bundle.BundleException;
import org.prismpool.bundle.BundleFailure;
import org.prismpool.bundle.BundleRequest;
import org.prismpool.bundle.BundleService;
import org.prismpool.bundle.CollectionIdentity;
import org.prismpool.bundle.WorkBundle;
import org.prismpool.delivery.CurrentState;
import org.prismpool.delivery.CurrentWork;
import org.prismpool.delivery.PreparedWork;
import org.prismpool.delivery.WorkKey;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.state.PayoutState;
import org.prismpool.refresh.TipRefresher;
import org.prismpool.refresh.TipStanding;
import org.prismpool.templates.TemplateObservation;
import org.prismpool.templates.TemplateOutcome;
import org.prismpool.templates.TemplateRepository;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.rpc.RpcException;

/** The work a single connection should get now: published template while it is authoritative, then a bundle for it. */
public final class PoolCurrentWork implements CurrentWork<PoolWork> {

    private final Later<TipRefresher<TemplateObservation, PoolWork>> refresher;
    private final PayoutState payout;
    private final BundleService bundles;
    private final TemplateRepository templates;
    private final WorkTipProbe live;
    private final Connections connections;
    private final WorkEncodings encodings;
    private final BooleanSupplier ready;
    private final CurrentPicture picture;
    private final MonotonicClock clock;

    public PoolCurrentWork(
            Later<TipRefresher<TemplateObservation, PoolWork>> refresher,
            WorkOwners owners,
            Connections connections,
            BooleanSupplier ready,
            boolean epochMode,
            MonotonicClock clock) {
        this.refresher = refresher;
        this.payout = owners.payout();
        this.bundles = owners.bundles();
        this.templates = owners.templates();
        this.encodings = owners.encodings();
        this.connections = connections;
        this.ready = ready;
        this.picture = new CurrentPicture(epochMode);
        this.clock = clock;
        this.live = new WorkTipProbe(
                deadline -> {
                    long sequence = refresher.get().reserveObservation();
                    return new WorkTipProbe.Answer(owners.node().getBestBlockHash(deadline), sequence);
                },
                clock);
    }

    @Override
    public CurrentState state() {
        return picture.of(
                refresher.get().authority(),
                refresher.get().standing().authoritative(),
                PayoutPublication.authority(payout),
                ready.getAsBoolean());
    }

    @Override
    public Answer<PoolWork> prepare(Request request, Deadline deadline, CancelSignal cancel)
            throws InterruptedException {
        TipStanding standing = refresher.get().standing();
        if (request.purpose() == Purpose.IDLE_RETARGET && standing.pinned()) {
            return new NotNow<>("a newer tip is not published yet", false);
        }
        Optional<TemplateObservation> template = template(standing, deadline, cancel);
        if (template.isEmpty()) {
            return new NotNow<>("no current template", false);
        }
        return bundle(request, template.get(), deadline, cancel);
    }

    private Optional<TemplateObservation> template(TipStanding standing, Deadline deadline, CancelSignal cancel) {
        Optional<TemplateObservation> published =
                refresher.get().authority().work().map(work -> work.snapshot().template());
        if (standing.authoritative() && published.isPresent()) {
            return published;
        }
        long sequence = refresher.get().reserveObservation();
        TemplateOutcome outcome = templates.fetch(deadline, cancel);
        if (outcome instanceof TemplateOutcome.Fetched fetched) {
            boolean agrees = refresher.get().observe(fetched.current().parent(), sequence);
            return agrees ? Optional.of(fetched.current()) : Optional.empty();
        }
        if (outcome instanceof TemplateOutcome.Superseded superseded) {
            refresher.get().observe(superseded.newTip(), sequence);
        }
        return Optional.empty();
    }

    private Answer<PoolWork> bundle(
            Request request, TemplateObservation template, Deadline deadline, CancelSignal cancel)
            throws InterruptedException {
        Optional<CollectionIdentity> worker = connections.identity(request.connectionId());
        if (worker.isEmpty()) {
            return new NotNow<>("the miner is gone", false);
        }
        long now = clock.nanoTime();
        BundleRequest wanted = request.purpose() == Purpose.FIRST_JOB
                ? BundleRequest.initial(template, worker.get(), now)
                : BundleRequest.routine(template, worker.get(), request.purpose() == Purpose.IDLE_RETARGET, now);
        CompletableFuture<WorkBundle> promise = bundles.request(wanted, deadline, cancel);
        try {
            WorkBundle bundle = promise.get(Math.max(1L, deadline.remainingNanos()), TimeUnit.NANOSECONDS);
            return new Ready<>(WorkKeys.prepared(encodings.of(bundle), refresher.get()));
        } catch (TimeoutException late) {
            return new NotNow<>("no bundle within " + Duration.ofNanos(deadline.remainingNanos()), true);
        } catch (ExecutionException failed) {
            return notNow(failed.getCause());
        }
    }

    private static Answer<PoolWork> notNow(@org.jspecify.annotations.Nullable Throwable cause) {
        if (cause instanceof BundleException known) {
            boolean failure =
                    known.failure() == BundleFailure.BLOCKED || known.failure() == BundleFailure.PHASE_TIMEOUT;
            return new NotNow<>(String.valueOf(known.getMessage()), failure);
        }
        return new NotNow<>(String.valueOf(cause), true);
    }

    @Override
    public LiveTip probe(PreparedWork<PoolWork> work, Deadline deadline) throws InterruptedException {
        Optional<WorkTipProbe.Answer> answer;
        try {
            answer = live.ask(deadline);
        } catch (RpcException unavailable) {
            return LiveTip.UNKNOWN;
        }
        if (answer.isEmpty()) {
            return LiveTip.UNKNOWN;
        }
        Hash256 best = answer.get().best();
        if (best.displayHex().equals(work.key().tip())) {
            return LiveTip.EXTENDS_BEST;
        }
        refresher.get().observe(best, answer.get().sequence());
        TipStanding standing = refresher.get().standing();
        boolean published = standing.authoritative()
                && standing.published()
                        .map(tip -> tip.hash().displayHex().equals(work.key().tip()))
                        .orElse(false);
        return published ? LiveTip.PUBLISHED_AUTHORITY : LiveTip.OBSOLETE;
    }

    @Override
    public Optional<PreparedWork<PoolWork>> sameWithNewestTime(Request request, WorkKey key, Deadline deadline)
            throws InterruptedException {
        Optional<TemplateObservation> newest = templates
                .current()
                .filter(template -> template.fingerprint().hex().equals(key.fingerprint())
                        && template.parent().displayHex().equals(key.tip()));
        if (newest.isEmpty()) {
            return Optional.empty();
        }
        Answer<PoolWork> answer = bundle(request, newest.get(), deadline, CancelSignal.never());
        return answer instanceof Ready<PoolWork> done ? Optional.of(done.work()) : Optional.empty();
    }
}
