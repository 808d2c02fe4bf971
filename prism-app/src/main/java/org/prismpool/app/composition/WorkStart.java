package org.prismpool.app.composition;

import java.time.Duration;
import java.util.function.Consumer;
import org.prismpool.app.composition.backend.StartFailure;
import org.prismpool.app.composition.block.JournalReplay;
import org.prismpool.config.variable.BlockVariables;
import org.prismpool.config.variable.LedgerVariables;
import org.prismpool.lifecycle.service.LoopBody;
import org.prismpool.lifecycle.service.ServiceSpec;
import org.prismpool.lifecycle.shutdown.WriterComponent;
import org.prismpool.lifecycle.startup.StartupPhase;
import org.prismpool.lifecycle.time.CancelSource;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.finalization.OfferLane;
import org.prismpool.refresh.PrewarmOutcome;
import org.prismpool.sharewriter.LedgerDeadlineException;
import org.prismpool.sharewriter.LedgerUnavailableException;
import org.prismpool.sharewriter.ShareLedger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The part of the start in which work begins: replays, the owners in their order, the first work (spec 08 §2). */
final class WorkStart {

    private static final Logger LOG = LoggerFactory.getLogger(WorkStart.class);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration STATS_LIMIT = Duration.ofMinutes(10);

    private final PoolOwners owners;
    private final PoolContext context;
    private final CancelSource starting;
    private final Consumer<String> progress;

    /**
     * Prepares it; nothing is started.
     *
     * @param owners built, none started
     * @param starting cancelled when a stop is requested
     * @param progress told of each step
     */
    WorkStart(PoolOwners owners, CancelSource starting, Consumer<String> progress) {
        this.owners = owners;
        this.context = owners.context;
        this.starting = starting;
        this.progress = progress;
    }

    void run() throws StartFailure, InterruptedException {
        ShareLedger shares = context.ledger().shares();
        JournalReplay.run(
                context.journal(),
                context.ledger(),
                context.writes(WriterComponent.SHARE_RECOVERY_REPLAY),
                context.metrics().shares(),
                progress);
        // The cost of this follows the number of miners. All shares are counted in the background: on a big ledger that
        // takes minutes, which no miner has to wait for.
        context.readiness().seen(shares.miners(operation("ready-miners")).size());
        owners.work.bundles.start();
        owners.payout.reanchor.start();
        owners.work.delivery.start();
        owners.blocks.writer.start();
        owners.blocks.finalizer.start(OfferLane.of(owners.blocks.lane));
        owners.blocks.lane.start();
        replay();
        starting.throwIfCancelled();
        owners.payout.state.publishCurrent(true, operation("payout-state"), starting);
        context.health().start(context.health().watchdog().service("prism-watchdog"));
        context.health().start(statistics(shares));
        context.health().start(stuckLedgerCalls());
        PrewarmOutcome warm = owners.work.refresher.prewarm();
        progress.accept("prewarm: " + (warm.published() ? "complete" : "deferred, " + warm.reason()));
        owners.work.refresher.start();
    }

    private Deadline operation(String name) {
        return Deadline.after(context.operationTimeout(), context.clock(), name);
    }

    private void replay() {
        if (outboxRead()) {
            enumerated();
        } else {
            progress.accept("block replay: not complete yet, job builds wait for it");
            context.health().start(ServiceSpec.of("block_replay_gate", "prism-block-replay-gate", control -> {
                while (!owners.blocks.lane.snapshot().enumerated() && control.pause(POLL)) {
                    control.beat();
                }
                if (owners.blocks.lane.snapshot().enumerated()) {
                    enumerated();
                }
                control.retire();
            }));
        }
    }

    /** Best effort: what is missing is read later, and no work is built before (spec 08 S9). */
    private boolean outboxRead() {
        Duration limit = context.environment().get(BlockVariables.BLOCK_LANDING_DB_TIMEOUT_SECONDS);
        try {
            return owners.blocks.lane.replay(Deadline.after(limit, context.clock(), "block-replay"));
        } catch (LedgerDeadlineException | LedgerUnavailableException unread) {
            LOG.atWarn().addKeyValue("reason", unread.getMessage()).log("block outbox not read yet");
            return false;
        }
    }

    private void enumerated() {
        owners.payout.state.parents().replayEnumerated();
        context.health().phases().reached(StartupPhase.BLOCK_REPLAY_ENUMERATED);
    }

    private ServiceSpec statistics(ShareLedger shares) {
        Duration cache = context.environment().get(LedgerVariables.ACCEPTED_STATS_CACHE_SECONDS);
        Duration period = cache.isZero() ? POLL : cache;
        Runnable pass = context.metrics()
                .shares()
                .counted(() -> context.stats()
                        .reconcile(shares, Deadline.after(STATS_LIMIT, context.clock(), "accepted-share-statistics")));
        return ServiceSpec.of(
                        "accepted_share_statistics",
                        "prism-accepted-share-statistics",
                        LoopBody.every(period, pass::run))
                .unwatched();
    }

    /** Restarts the process when block accounting has lost both of its ledger calls. */
    private ServiceSpec stuckLedgerCalls() {
        return ServiceSpec.of("block_ledger_calls", "prism-block-ledger-calls", control -> {
                    while (control.pause(POLL)) {
                        if (context.blockCalls().restartNeeded()) {
                            owners.blocks.signals.restartRequired("ledger calls of block accounting are stuck");
                        }
                    }
                })
                .unwatched();
    }
}
