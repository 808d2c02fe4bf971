package org.prismpool.app.composition;

import java.nio.file.Path;
import java.time.Duration;
import org.prismpool.app.composition.backend.AuditFiles;
import org.prismpool.app.composition.backend.LedgerParts;
import org.prismpool.app.composition.backend.NodeParts;
import org.prismpool.app.composition.block.BarrierWrites;
import org.prismpool.app.composition.block.BlockLedgerCalls;
import org.prismpool.app.composition.health.HealthOwners;
import org.prismpool.app.composition.work.ReadinessLatch;
import org.prismpool.app.metrics.OwnerMetrics;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.BlockVariables;
import org.prismpool.config.variable.BundleVariables;
import org.prismpool.config.variable.LedgerVariables;
import org.prismpool.config.variable.ShareWriterVariables;
import org.prismpool.lifecycle.shutdown.WriterComponent;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.finalization.BlockEvidence;
import org.prismpool.payout.signing.SigningSeed;
import org.prismpool.sharewriter.AcceptedStats;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.ShareTotals;

/**
 * What all parts of the pool are built from.
 *
 * @param environment values without errors
 * @param node client of the node and of the further ones
 * @param ledgerParts the opened ledger with its lease
 * @param audit audit artifact files
 * @param health what watches and ends the process
 * @param metrics metric ports of the owners
 * @param events told of what a host program may want to show
 * @param stats accepted shares, counted
 * @param readiness whether enough miners have been seen
 * @param blockCalls bounded ledger calls of block accounting
 * @param clock monotonic
 */
record PoolContext(
        Environment environment,
        NodeParts node,
        LedgerParts ledgerParts,
        AuditFiles audit,
        HealthOwners health,
        OwnerMetrics metrics,
        PoolEvents events,
        AcceptedStats stats,
        ReadinessLatch readiness,
        BlockLedgerCalls blockCalls,
        MonotonicClock clock) {

    static PoolContext of(
            Environment e,
            NodeParts node,
            LedgerParts ledgerParts,
            AuditFiles audit,
            HealthOwners health,
            OwnerMetrics metrics,
            PoolEvents events,
            MonotonicClock clock) {
        AcceptedStats stats = new AcceptedStats(clock);
        return new PoolContext(
                e,
                node,
                ledgerParts,
                audit,
                health,
                metrics,
                events,
                stats,
                new ReadinessLatch(stats, e.get(BundleVariables.MIN_READY_MINERS)),
                new BlockLedgerCalls(
                        e.get(LedgerVariables.POSTGRES_OPERATION_TIMEOUT_SECONDS),
                        e.get(BlockVariables.BLOCK_SUBMIT_STUCK_CALL_EXIT_SECONDS),
                        clock),
                clock);
    }

    Ledger ledger() {
        return ledgerParts.ledger();
    }

    Duration operationTimeout() {
        return environment.get(LedgerVariables.POSTGRES_OPERATION_TIMEOUT_SECONDS);
    }

    /** Ledger writes of one component: admitted by the writer barrier and bounded. */
    BarrierWrites writes(WriterComponent component) {
        return new BarrierWrites(health.controller(), component, blockCalls);
    }

    SigningSeed manifestSeed() {
        return SigningSeed.ofHex(
                environment.get(LedgerVariables.MANIFEST_SIGNING_SEED_HEX).reveal());
    }

    SigningSeed ledgerSeed() {
        return SigningSeed.ofHex(environment
                .get(LedgerVariables.LEDGER_ATTESTATION_SIGNING_SEED_HEX)
                .reveal());
    }

    BlockEvidence.ShareCounts shareCounts() {
        ShareTotals totals = stats.totals();
        return new BlockEvidence.ShareCounts(totals.acceptedShares(), totals.distinctMiners());
    }

    /** Where an older release kept shares that its database did not take; the block spool lies beside it. */
    Path journal() {
        return Path.of(environment.get(ShareWriterVariables.SHARE_RECOVERY_PATH))
                .toAbsolutePath();
    }
}
