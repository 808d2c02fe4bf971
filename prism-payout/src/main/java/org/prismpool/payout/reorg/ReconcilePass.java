package org.prismpool.payout.reorg;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.chain.Hash256;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings block rows into agreement with the chain once (spec 06 §6.1). Confined to the thread that runs it. */
final class ReconcilePass {

    /** Confirmations at which payouts mature; a rejected block is watched as long. */
    static final long MATURITY = 1000;

    static final long STRANDED_DEPTH = 100;
    static final int STRANDED_LIMIT = 64;
    static final int MATURE_LIMIT = 64;

    private static final Logger LOG = LoggerFactory.getLogger(ReconcilePass.class);

    private final ReconcilePorts ports;
    private final Map<ReorgDecision, Integer> counts = new EnumMap<>(ReorgDecision.class);
    private boolean touched;
    private int watched;
    private int matured;

    ReconcilePass(ReconcilePorts ports) {
        this.ports = ports;
    }

    /** Whether a change was attempted; after a failure it may have happened. */
    boolean touched() {
        return touched;
    }

    ReconcileSummary run(Deadline deadline) {
        long tip = ports.chain().tipHeight(deadline);
        List<WatchedBlock> blocks = new ArrayList<>(ports.rows().immature(deadline));
        blocks.addAll(ports.rows().rejected(tip - MATURITY, deadline));
        blocks.addAll(ports.rows().strandedPrepared(tip - STRANDED_DEPTH, STRANDED_LIMIT, deadline));
        watched = blocks.size();
        Map<Long, Hash256> active = lookUp(blocks, tip, deadline);
        for (WatchedBlock block : blocks) {
            deadline.check("reorg_reconcile");
            apply(block, ReorgDecision.of(block, tip, Optional.ofNullable(active.get(block.height()))), deadline);
        }
        touched = true;
        matured = ports.transitions().mature(tip, deadline);
        return summary();
    }

    /** Mature blocks are never rewritten: one that left the chain is reported until an operator decides. */
    int matureOffChain(Deadline deadline) {
        List<WatchedBlock> mature = ports.rows().newestMature(MATURE_LIMIT, deadline);
        long tip = ports.chain().tipHeight(deadline);
        Map<Long, Hash256> active = lookUp(mature, tip, deadline);
        int off = (int) mature.stream()
                .filter(block -> !Optional.of(block.hash()).equals(Optional.ofNullable(active.get(block.height()))))
                .count();
        ports.metrics().matureOffChain(off);
        if (off > 0) {
            LOG.atError().addKeyValue("blocks", off).log("mature pool block left the chain");
        }
        return off;
    }

    private Map<Long, Hash256> lookUp(List<WatchedBlock> blocks, long tip, Deadline deadline) {
        List<Long> heights = blocks.stream()
                .map(WatchedBlock::height)
                .filter(height -> height <= tip)
                .distinct()
                .toList();
        return heights.isEmpty() ? Map.of() : ports.chain().blocksAt(heights, deadline);
    }

    private void apply(WatchedBlock block, ReorgDecision decision, Deadline deadline) {
        counts.merge(decision, 1, Integer::sum);
        if (decision == ReorgDecision.KEEP) {
            return;
        }
        if (decision == ReorgDecision.REPORT_STRANDED) {
            LOG.atError()
                    .addKeyValue("hash", block.hash().displayHex())
                    .addKeyValue("height", block.height())
                    .log("prepared block is on the chain but has no candidate");
            return;
        }
        touched = true;
        BlockTransitions transitions = ports.transitions();
        switch (decision) {
            case MARK_INACTIVE -> transitions.markInactive(block.hash(), deadline);
            case REACTIVATE -> transitions.reactivate(block.hash(), deadline);
            case REJECT_STRANDED -> transitions.rejectStranded(block.hash(), deadline);
            default -> {
                transitions.reinstate(block.hash(), block.height(), deadline);
                ports.metrics().reinstated();
            }
        }
        LOG.atWarn()
                .addKeyValue("hash", block.hash().displayHex())
                .addKeyValue("height", block.height())
                .addKeyValue("decision", decision)
                .log("pool block follows the chain");
    }

    private ReconcileSummary summary() {
        return new ReconcileSummary(
                watched,
                counts.getOrDefault(ReorgDecision.MARK_INACTIVE, 0),
                counts.getOrDefault(ReorgDecision.REACTIVATE, 0),
                counts.getOrDefault(ReorgDecision.REINSTATE, 0),
                matured,
                counts.getOrDefault(ReorgDecision.REJECT_STRANDED, 0),
                counts.getOrDefault(ReorgDecision.REPORT_STRANDED, 0),
                OptionalLong.empty());
    }
}
