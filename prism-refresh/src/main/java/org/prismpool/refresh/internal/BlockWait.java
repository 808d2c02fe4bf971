package org.prismpool.refresh.internal;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.prismpool.lifecycle.time.CancelledException;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.refresh.ChainTip;
import org.prismpool.refresh.RefreshHeartbeat;
import org.prismpool.templates.chain.Hash256;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits at the node for the next block and only ever detects (spec 07 §2.4). Confined to its thread. */
final class BlockWait<T, W> {

    private static final Logger LOG = LoggerFactory.getLogger("org.prismpool.refresh.BlockWait");
    private static final Duration SAME_TIP_PAUSE = Duration.ofMillis(250);
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(5);

    private final RefreshCore<T, W> core;
    private final TipObserver<T, W> observer;
    private Optional<Hash256> known = Optional.empty();

    BlockWait(RefreshCore<T, W> core, TipObserver<T, W> observer) {
        this.core = core;
        this.observer = observer;
    }

    void loop() {
        try {
            while (!core.stop.raised() && round()) {
                // each round proves progress by itself
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Makes one call to the node.
     *
     * @return false once the node turned out not to have the call
     */
    boolean round() throws InterruptedException {
        core.companions.heartbeat().beat(RefreshHeartbeat.BLOCKWAIT);
        try {
            return known.isPresent() ? await(known.get()) : first();
        } catch (CancelledException ended) {
            return pause(); // the process is stopping, which is no fault of the node
        } catch (IOException | RuntimeException failed) {
            LOG.atWarn().addKeyValue("error", failed.toString()).log("waiting for a new block failed");
            return pause();
        }
    }

    private boolean pause() throws InterruptedException {
        Duration interval = core.config.observation().pollInterval();
        core.waits.pause(interval.compareTo(LONGEST_BACKOFF) < 0 ? interval : LONGEST_BACKOFF, core.stop);
        return true;
    }

    private boolean first() throws IOException, InterruptedException {
        Hash256 best = core.ports.chain().bestHash(within(core.config.bounds().rpc()));
        known = Optional.of(best);
        observer.observe(best, core.reserveSequence(), true);
        return true;
    }

    private boolean await(Hash256 tip) throws IOException, InterruptedException {
        ChainTip.WaitAnswer answer = core.ports
                .chain()
                .awaitChange(
                        tip,
                        core.config.observation().serverWait(),
                        within(core.config.observation().clientWait()));
        if (answer instanceof ChainTip.Unsupported) {
            LOG.atInfo().log("the node cannot wait for new blocks, polling alone");
            core.companions.heartbeat().remove(RefreshHeartbeat.BLOCKWAIT);
            return false;
        }
        Hash256 seen = ((ChainTip.Tip) answer).hash();
        if (seen.equals(tip)) {
            core.waits.pause(SAME_TIP_PAUSE, core.stop);
            return true;
        }
        known = Optional.of(seen); // first: a failing observation must not be reported again and again
        try {
            observer.observe(seen, core.reserveSequence(), true);
        } finally {
            core.retry.arm();
        }
        return true;
    }

    private Deadline within(Duration bound) {
        return Deadline.after(bound, core.clocks.monotonic(), "block wait");
    }
}
