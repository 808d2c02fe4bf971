package org.prismpool.app.composition.work;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.prismpool.lifecycle.executor.BoundedPriorityExecutor;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.refresh.PublishedTip;
import org.prismpool.refresh.TipRefresher;
import org.prismpool.refresh.WorkAuthority;
import org.prismpool.stratum.TipSnapshot;
import org.prismpool.stratum.TipView;
import org.prismpool.templates.TemplateObservation;
import org.prismpool.templates.block.OfferView;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.rpc.NodeRpc;

/** The tip as sessions and the candidate lane see it. Thread-safe; never blocks the caller. */
public final class TipWatch implements TipView, OfferView {

    private static final int PRIORITY = 0;

    private final Later<TipRefresher<TemplateObservation, PoolWork>> refresher;
    private final NodeRpc node;
    private final BoundedPriorityExecutor workers;
    private final Duration rpcTimeout;
    private final BooleanSupplier leaseLost;
    private final MonotonicClock clock;
    private volatile Optional<KnownParent> parent = Optional.empty();

    private record KnownParent(Hash256 tip, CompletableFuture<Hash256> parent) {}

    public TipWatch(
            Later<TipRefresher<TemplateObservation, PoolWork>> refresher,
            NodeRpc node,
            BoundedPriorityExecutor workers,
            Duration rpcTimeout,
            BooleanSupplier leaseLost,
            MonotonicClock clock) {
        this.refresher = refresher;
        this.node = node;
        this.workers = workers;
        this.rpcTimeout = rpcTimeout;
        this.leaseLost = leaseLost;
        this.clock = clock;
    }

    private Optional<WorkAuthority<TemplateObservation, PoolWork>> authority() {
        return refresher.peek().map(TipRefresher::authority);
    }

    @Override
    public TipSnapshot snapshot() {
        return authority().map(TipWatch::snapshot).orElse(TipSnapshot.NONE);
    }

    private static TipSnapshot snapshot(WorkAuthority<TemplateObservation, PoolWork> authority) {
        Optional<PublishedTip> published = authority.published();
        return new TipSnapshot(
                published.map(PublishedTip::hash),
                published.map(PublishedTip::observedNanos).orElse(0L),
                published.map(tip -> tip.flipNanos().isPresent()).orElse(false),
                authority.detected().map(tip -> tip.hash()),
                authority.divergenceNanos());
    }

    @Override
    public CompletionStage<Hash256> liveTip() {
        long sequence = refresher.get().reserveObservation();
        return ask(() -> node.getBestBlockHash(Deadline.after(rpcTimeout, clock, "live-tip")))
                .thenApply(tip -> {
                    refresher.get().observe(tip, sequence);
                    return tip;
                });
    }

    @Override
    public CompletionStage<Hash256> parentOf(Hash256 tip) {
        Optional<Hash256> published = authority()
                .flatMap(WorkAuthority::published)
                .filter(known -> known.hash().equals(tip))
                .flatMap(PublishedTip::parent);
        if (published.isPresent()) {
            return CompletableFuture.completedFuture(published.get());
        }
        Optional<KnownParent> known = parent.filter(entry -> entry.tip().equals(tip));
        if (known.isPresent() && !known.get().parent().isCompletedExceptionally()) {
            return known.get().parent();
        }
        CompletableFuture<Hash256> asked = ask(() -> node.getBlockParent(
                        tip, Deadline.after(rpcTimeout, clock, "tip-parent"))
                .orElseThrow(() -> new IllegalStateException("the node does not know block " + tip.displayHex())));
        parent = Optional.of(new KnownParent(tip, asked));
        return asked;
    }

    private CompletableFuture<Hash256> ask(Callable<Hash256> call) {
        try {
            return workers.submit(PRIORITY, call).future();
        } catch (RejectedExecutionException busy) {
            return CompletableFuture.failedFuture(busy);
        }
    }

    @Override
    public Optional<Hash256> detectedTip() {
        return authority().flatMap(WorkAuthority::newestKnownTip);
    }

    @Override
    public Optional<Hash256> publishedTip() {
        return authority().flatMap(WorkAuthority::published).map(PublishedTip::hash);
    }

    @Override
    public boolean writerLeaseLost() {
        return leaseLost.getAsBoolean();
    }
}
