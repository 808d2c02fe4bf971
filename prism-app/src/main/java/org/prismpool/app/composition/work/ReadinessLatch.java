package org.prismpool.app.composition.work;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.refresh.PoolReadiness;
import org.prismpool.sharewriter.AcceptedStats;

/** Opens once, for the life of the process, when enough different miners had a share accepted. */
public final class ReadinessLatch implements PoolReadiness, BooleanSupplier {

    private final AcceptedStats stats;
    private final int minimum;
    private final AtomicBoolean open = new AtomicBoolean();

    public ReadinessLatch(AcceptedStats stats, int minimum) {
        this.stats = stats;
        this.minimum = minimum;
    }

    /**
     * Takes miners into account that the counters may not know yet: they are counted against the whole ledger in the background.
     *
     * @param everSeen different miners with an accepted share in the ledger
     */
    public void seen(int everSeen) {
        if (everSeen >= minimum) {
            open.set(true);
        }
    }

    @Override
    public boolean ready(Deadline deadline) {
        if (!open.get() && stats.totals().distinctMiners() >= minimum) {
            open.set(true);
        }
        return open.get();
    }

    @Override
    public boolean getAsBoolean() {
        return open.get();
    }
}
