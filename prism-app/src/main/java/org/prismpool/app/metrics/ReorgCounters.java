package org.prismpool.app.metrics;

import org.prismpool.lifecycle.metrics.GaugeSeries;
import org.prismpool.lifecycle.metrics.MetricFamilies;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.reorg.BlockTransitions;
import org.prismpool.payout.reorg.ReorgMetrics;
import org.prismpool.templates.chain.Hash256;

/** Counts reorganisation passes, and the transitions that they make. */
public final class ReorgCounters implements ReorgMetrics {

    private final MetricFamilies families;
    private final GaugeSeries matureOffChain;

    ReorgCounters(MetricFamilies families) {
        this.families = families;
        this.matureOffChain = families.gauge("pool_blocks_mature_off_chain");
        matureOffChain.set(-1); // not checked yet
    }

    @Override
    public void skipped() {
        families.counter("reorg_reconcile_skips_total").increment();
    }

    @Override
    public void failed() {
        families.counter("reorg_reconcile_errors_total").increment();
    }

    @Override
    public void reinstated() {
        families.counter("pool_block_reinstatements_total").increment();
    }

    @Override
    public void matureOffChain(int count) {
        matureOffChain.set(count);
    }

    /**
     * Counts the transitions that succeed.
     *
     * @param rows makes them
     * @return the same, counted
     */
    public BlockTransitions counted(BlockTransitions rows) {
        return new Counted(rows);
    }

    private final class Counted implements BlockTransitions {

        private final BlockTransitions rows;

        private Counted(BlockTransitions rows) {
            this.rows = rows;
        }

        @Override
        public void markInactive(Hash256 hash, Deadline deadline) {
            rows.markInactive(hash, deadline);
            families.counter("reorg_inactive_blocks_total").increment();
        }

        @Override
        public void reactivate(Hash256 hash, Deadline deadline) {
            rows.reactivate(hash, deadline);
            families.counter("reorg_reactivated_blocks_total").increment();
        }

        @Override
        public void reinstate(Hash256 hash, long height, Deadline deadline) {
            rows.reinstate(hash, height, deadline);
        }

        @Override
        public void rejectStranded(Hash256 hash, Deadline deadline) {
            rows.rejectStranded(hash, deadline);
        }

        @Override
        public int mature(long tipHeight, Deadline deadline) {
            int matured = rows.mature(tipHeight, deadline);
            families.counter("matured_payouts_total").add((long) matured);
            return matured;
        }
    }
}
