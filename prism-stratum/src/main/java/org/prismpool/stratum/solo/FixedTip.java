package org.prismpool.stratum.solo;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.stratum.TipSnapshot;
import org.prismpool.stratum.TipView;
import org.prismpool.templates.chain.Hash256;

/**
 * A tip that its owner sets whenever new work is published; it never grows too old to decide. Thread-safe.
 */
public final class FixedTip implements TipView {

    private record Published(Hash256 tip, Optional<Hash256> parent) {}

    private final MonotonicClock clock;
    private volatile Optional<Published> published = Optional.empty(); // written under this

    /** Creates a view without a tip, on the system's clock. */
    public FixedTip() {
        this(MonotonicClock.system());
    }

    /**
     * Creates a view without a tip.
     *
     * @param clock clock of the server
     */
    public FixedTip(MonotonicClock clock) {
        this.clock = clock;
    }

    /**
     * Publishes a tip; the one before counts as its parent.
     *
     * @param tip hash of the block that new work builds on
     */
    public synchronized void publish(Hash256 tip) {
        Optional<Hash256> before = published.map(Published::tip);
        if (!before.equals(Optional.of(tip))) {
            published = Optional.of(new Published(tip, before));
        }
    }

    @Override
    public TipSnapshot snapshot() {
        Optional<Published> now = published;
        return now.map(known -> TipSnapshot.published(
                        known.tip(), clock.nanoTime(), known.parent().isPresent()))
                .orElseGet(() -> new TipSnapshot(
                        Optional.empty(), clock.nanoTime(), false, Optional.empty(), OptionalLong.empty()));
    }

    @Override
    public CompletionStage<Hash256> liveTip() {
        return published
                .map(known -> CompletableFuture.completedFuture(known.tip()))
                .orElseGet(() -> CompletableFuture.failedFuture(new IllegalStateException("no tip is published")));
    }

    @Override
    public CompletionStage<Hash256> parentOf(Hash256 tip) {
        return published
                .filter(known -> known.tip().equals(tip))
                .flatMap(Published::parent)
                .map(CompletableFuture::completedFuture)
                .orElseGet(() -> CompletableFuture.failedFuture(new IllegalStateException("parent is not known")));
    }
}
