package org.prismpool.app.demo;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
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

    private final Queue<Found> found = new ConcurrentLinkedQueue<>();
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

    /** Takes what was found since the last call. */
    Queue<Found> drain() {
        Queue<Found> taken = new ArrayDeque<>();
        for (Found next = found.poll(); next != null; next = found.poll()) {
            taken.add(next);
        }
        return taken;
    }
}
