package org.prismpool.app.composition;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import org.prismpool.app.composition.backend.FanoutSets;
import org.prismpool.app.composition.backend.LandingChecks;
import org.prismpool.app.composition.block.BarrierWrites;
import org.prismpool.app.composition.block.CreditHolds;
import org.prismpool.app.composition.block.FinalizerLedger;
import org.prismpool.app.composition.block.FinalizerRows;
import org.prismpool.app.composition.block.LandingBarrier;
import org.prismpool.app.composition.block.LaneSignals;
import org.prismpool.app.composition.block.OutboxAdapter;
import org.prismpool.app.composition.block.SpoolAdapter;
import org.prismpool.app.composition.settings.OwnerSettings;
import org.prismpool.app.composition.work.TipWatch;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.BlockVariables;
import org.prismpool.config.variable.LedgerVariables;
import org.prismpool.config.variable.RefreshVariables;
import org.prismpool.lifecycle.shutdown.WriterComponent;
import org.prismpool.payout.audit.AuditBundleBuilder;
import org.prismpool.payout.audit.AuditVerifier;
import org.prismpool.payout.finalization.BlockFinalizer;
import org.prismpool.payout.finalization.CandidateIntent;
import org.prismpool.payout.finalization.FinalizerEvents;
import org.prismpool.payout.finalization.FinalizerPorts;
import org.prismpool.payout.finalization.InProcessRebuilder;
import org.prismpool.payout.finalization.ParentLink;
import org.prismpool.sharewriter.ShareWriter;
import org.prismpool.sharewriter.ShareWriterEvents;
import org.prismpool.sharewriter.spool.FileBlockSpool;
import org.prismpool.templates.block.CandidateLane;
import org.prismpool.templates.block.CandidatePorts;
import org.prismpool.templates.chain.Hash256;

/** What becomes of shares and found blocks: the share writer, the candidate lane and the finalizer behind it. */
final class BlockParts {

    final CreditHolds credits;
    final ShareWriter writer;
    final FileBlockSpool spool;
    final LaneSignals signals;
    final BlockFinalizer finalizer;
    final CandidateLane lane;

    private final AtomicLong accepted = new AtomicLong();

    BlockParts(PoolContext context, LaterOwners later, PayoutParts payout, WorkParts work, TipWatch tips) {
        Environment e = context.environment();
        BarrierWrites writes = context.writes(WriterComponent.ACCEPTED_BLOCK_HANDLING);
        this.credits = new CreditHolds(payout.floor);
        this.writer = new ShareWriter(
                context.ledger().shares(),
                OwnerSettings.shareWriter(e),
                new ShareWriter.Ports(
                        payout.gate,
                        context.stats(),
                        writerEvents(context),
                        context.metrics().shares()),
                context.clock());
        this.spool = new FileBlockSpool(context.journal().resolveSibling(FileBlockSpool.DIRECTORY));
        Duration stuck = e.get(BlockVariables.BLOCK_SUBMIT_STUCK_CALL_EXIT_SECONDS);
        this.signals = new LaneSignals(
                context.health().controller(),
                context.health().watchdog(),
                context.health().heartbeats(),
                stuck);
        OutboxAdapter outbox = new OutboxAdapter(context.ledger(), writes, credits);
        this.finalizer = finalizer(context, payout, work, writes, outbox);
        this.lane = later.lane()
                .set(new CandidateLane(
                        OwnerSettings.lane(e),
                        new CandidatePorts(
                                context.node().rpc(),
                                context.node().further(),
                                finalizer,
                                outbox,
                                new SpoolAdapter(spool),
                                new LandingBarrier(new ParentLink(payout.state.parents()), credits),
                                tips,
                                signals,
                                context.metrics().candidates()),
                        context.clock()));
    }

    private BlockFinalizer finalizer(
            PoolContext context, PayoutParts payout, WorkParts work, BarrierWrites writes, OutboxAdapter outbox) {
        Environment e = context.environment();
        FinalizerRows rows = new FinalizerRows(
                context.ledger(),
                writes,
                context.stats(),
                (block, set, deadline) -> context.ledger().fanouts().persist(FanoutSets.rows(block, set), deadline),
                payout.gate,
                credits);
        FinalizerPorts ports = new FinalizerPorts(
                new FinalizerLedger(context.ledger(), writes),
                rows,
                outbox,
                new InProcessRebuilder(
                        new AuditBundleBuilder(context.manifestSeed(), context.ledgerSeed()),
                        // Without a pinned key, which only tests may do, the own one is believed.
                        new AuditVerifier(e.find(LedgerVariables.LEDGER_WRITER_PUBLIC_KEY_HEX)
                                .orElseGet(() -> context.ledgerSeed().publicKeyHex())),
                        () -> work.rules.configured()),
                context.audit(),
                new LandingChecks(
                        e.get(RefreshVariables.REORG_RECONCILER_ENABLED),
                        context.node().rpc(),
                        payout.reconciler,
                        context.ledgerParts()),
                payout.balances,
                payout.windows,
                finalizerEvents(context, work),
                context.metrics().finalizer());
        return new BlockFinalizer(OwnerSettings.finalizer(e), ports, payout.state, payout.serializer, context.clock());
    }

    /** Own blocks accounted by this process. */
    long accepted() {
        return accepted.get();
    }

    private FinalizerEvents finalizerEvents(PoolContext context, WorkParts work) {
        return new FinalizerEvents() {
            @Override
            public void landed(Hash256 hash, long height) {
                work.refresher.blockAccepted();
            }

            @Override
            public void accounted(CandidateIntent intent, long publicationSequence) {
                accepted.incrementAndGet();
                context.metrics().finalizer().accounted(intent.solution().coinbaseHex());
                context.events().blockAccounted(intent, publicationSequence);
            }

            @Override
            public void shutdownRequested(String reason, String message) {
                context.events().progress("stopping: " + reason + ": " + message);
                context.health().controller().request(OptionalInt.empty());
            }
        };
    }

    private static ShareWriterEvents writerEvents(PoolContext context) {
        return new ShareWriterEvents() {
            @Override
            public void beat() {
                context.health().heartbeats().beat("share_writer");
            }

            @Override
            public void fenced() {
                context.health().controller().request(OptionalInt.empty());
            }
        };
    }
}
