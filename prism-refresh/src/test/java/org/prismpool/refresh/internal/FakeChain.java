package org.prismpool.refresh.internal;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.prismpool.lifecycle.time.CancelledException;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.refresh.ChainTip;
import org.prismpool.refresh.TemplateFeed;
import org.prismpool.refresh.TemplateSnapshot;
import org.prismpool.templates.chain.Hash256;

/** A node with a tip that tests move, and the template cache over it. */
@NullUnmarked // test state is filled as it goes
final class FakeChain implements ChainTip, TemplateFeed<String> {

    private final SimulatedTime time;
    private final Map<Hash256, Hash256> parents = new HashMap<>();
    Hash256 best;
    boolean down;
    boolean waitUnsupported;
    boolean waitCancelled;
    boolean unusable;
    ChainTrust trust = ChainTrust.yes();
    Duration cacheFor = Duration.ofSeconds(2);
    Runnable duringFetch = () -> {};
    Runnable duringTrust = () -> {};
    String content = "empty mempool";
    int bestHashCalls;
    int templateCalls;
    int trustCalls;
    int waitCalls;
    private long generations;
    private TemplateSnapshot<String> cached;
    private long cachedNanos;

    FakeChain(SimulatedTime time, Hash256 genesis) {
        this.time = time;
        this.best = genesis;
    }

    static Hash256 hash(int number) {
        return Hash256.ofInternalHex(String.format("%064x", number));
    }

    void mine(Hash256 block) {
        parents.put(block, best);
        best = block;
    }

    @Override
    public Hash256 bestHash(Deadline deadline) throws IOException {
        bestHashCalls++;
        requireUp();
        return best;
    }

    @Override
    public Hash256 parentOf(Hash256 tip, Deadline deadline) throws IOException {
        requireUp();
        Hash256 parent = parents.get(tip);
        if (parent == null) {
            throw new IOException("unknown block");
        }
        return parent;
    }

    @Override
    public ChainTrust trust(Deadline deadline) throws IOException {
        trustCalls++;
        duringTrust.run();
        requireUp();
        return trust;
    }

    @Override
    public WaitAnswer awaitChange(Hash256 known, Duration serverWait, Deadline deadline) throws IOException {
        waitCalls++;
        requireUp();
        if (waitCancelled) {
            throw new CancelledException("client closed");
        }
        return waitUnsupported ? new Unsupported() : new Tip(best);
    }

    @Override
    public Answer<String> coherent(Hash256 observedBest, Deadline deadline) throws IOException {
        boolean young = cached != null && time.clock.nanoTime() - cachedNanos <= cacheFor.toNanos();
        if (young && cached.parent().equals(observedBest) && !cacheFor.isZero()) {
            return new Coherent<>(cached, true);
        }
        requireUp();
        long generation = ++generations;
        templateCalls++;
        Hash256 parent = best;
        String fingerprint = content;
        duringFetch.run();
        if (unusable) {
            return new Unusable<>("bad bits");
        }
        if (!best.equals(parent)) {
            return new Diverged<>(best);
        }
        cached = new TemplateSnapshot<>(parent, fingerprint, generation, "template " + generation);
        cachedNanos = time.clock.nanoTime();
        return new Coherent<>(cached, false);
    }

    private void requireUp() throws IOException {
        if (down) {
            throw new IOException("connection refused");
        }
    }
}
