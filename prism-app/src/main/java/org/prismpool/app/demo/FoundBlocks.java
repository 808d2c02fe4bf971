package org.prismpool.app.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.prismpool.app.composition.PoolEvents;
import org.prismpool.payout.finalization.CandidateIntent;
import org.prismpool.templates.chain.Hash256;

/** Collects what the coordinator tells the demo; written by owners' threads, read by the demo's. */
final class FoundBlocks implements PoolEvents {

    /**
     * An own block on the chain with its rows written.
     *
     * @param hash block hash
     * @param height its height
     * @param finder username of the solve
     */
    record Found(Hash256 hash, long height, String finder) {}

    private static final int MOST_WAITING = 65_536; // far more blocks than a demo finds between two looks

    private final BlockingQueue<Found> found = new LinkedBlockingQueue<>(MOST_WAITING);
    private final Consumer<String> progress;

    FoundBlocks(Consumer<String> progress) {
        this.progress = progress;
    }

    @Override
    public void progress(String text) {
        progress.accept(text);
    }

    @Override
    public void blockAccounted(CandidateIntent intent, long publicationSequence) {
        found.add(new Found(intent.solution().hash(), intent.solution().height(), intent.username()));
    }

    /**
     * Takes what was found since the last call.
     *
     * @param limit longest wait for a first one
     * @return blocks in the order they were found, empty if none was within the limit
     */
    List<Found> take(Duration limit) throws InterruptedException {
        List<Found> taken = new ArrayList<>();
        Found first = found.poll(limit.toNanos(), TimeUnit.NANOSECONDS);
        if (first != null) {
            taken.add(first);
            found.drainTo(taken);
        }
        return taken;
    }
}
