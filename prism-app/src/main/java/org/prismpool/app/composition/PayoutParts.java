package org.prismpool.app.composition;

import java.time.Clock;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.prismpool.app.composition.backend.LedgerBalances;
import org.prismpool.app.composition.backend.LedgerWindows;
import org.prismpool.app.composition.backend.NodeReconcileChain;
import org.prismpool.app.composition.block.AuditRepublication;
import org.prismpool.app.composition.block.ReorgBlockRows;
import org.prismpool.app.composition.settings.OwnerSettings;
import org.prismpool.app.composition.work.AppendFenceGate;
import org.prismpool.app.composition.work.Later;
import org.prismpool.app.composition.work.PayoutSignals;
import org.prismpool.config.Environment;
import org.prismpool.lifecycle.shutdown.WriterComponent;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.reorg.ReconcilePorts;
import org.prismpool.payout.reorg.ReorgReconciler;
import org.prismpool.payout.state.BalanceSerializer;
import org.prismpool.payout.state.PayoutState;
import org.prismpool.payout.state.PayoutStatePorts;
import org.prismpool.payout.state.PreparedWindowConfig;
import org.prismpool.payout.state.PreparedWindows;
import org.prismpool.payout.state.WindowClock;
import org.prismpool.payout.state.WindowReanchor;
import org.prismpool.sharewriter.AnchorFloor;
import org.prismpool.templates.chain.Hash256;

/** What is owed to whom: payout state, its windows and balances, and the reconciliation of both with the chain. */
final class PayoutParts {

    final AnchorFloor floor;
    final LedgerWindows windows;
    final LedgerBalances balances;
    final WindowClock wall;
    final PayoutState state;
    final PreparedWindows prepared;
    final AppendFenceGate gate;
    final WindowReanchor reanchor;
    final BalanceSerializer serializer = new BalanceSerializer();
    final ReorgReconciler reconciler;

    PayoutParts(PoolContext context, LaterOwners later) {
        Environment e = context.environment();
        this.floor = new AnchorFloor(Clock.systemUTC()::millis, context.clock());
        this.windows = new LedgerWindows(context.ledger().windows());
        this.balances = new LedgerBalances(context.ledger().balances(), context.operationTimeout());
        this.wall = new AnchoredClock(Clock.systemUTC(), floor);
        Later<LongSupplier> appendEpoch = new Later<>("the append epoch");
        PayoutSignals signals = new PayoutSignals(
                later.bundles(),
                later.windows(),
                later.refresher(),
                appendEpoch,
                context.health().progress(),
                context.clock());
        this.state = new PayoutState(
                OwnerSettings.payoutState(e),
                new PayoutStatePorts(
                        balances,
                        (height, deadline) -> activeBlockAt(context, height, deadline),
                        signals,
                        context.metrics().payout()),
                context.clock());
        appendEpoch.set(() -> state.appends().epoch());
        this.gate = new AppendFenceGate(state.appends());
        PreparedWindowConfig config = OwnerSettings.preparedWindows(e);
        this.prepared = later.windows()
                .set(new PreparedWindows(
                        config,
                        windows,
                        wall,
                        state.appends(),
                        context.metrics().payout()));
        this.reanchor = new WindowReanchor(
                config,
                prepared,
                state,
                windows,
                balances,
                wall,
                context.metrics().payout(),
                context.clock());
        this.reconciler = reconciler(context);
    }

    private ReorgReconciler reconciler(PoolContext context) {
        NodeReconcileChain chain =
                new NodeReconcileChain(context.node().rpc(), context.node().network());
        ReorgBlockRows rows = new ReorgBlockRows(
                context.ledger(),
                context.writes(WriterComponent.PAYOUT_RECONCILIATION),
                chain,
                new AuditRepublication(context.audit(), context::shareCounts));
        return new ReorgReconciler(
                OwnerSettings.reconciler(context.environment()),
                new ReconcilePorts(
                        chain,
                        rows,
                        context.metrics().reorg().counted(rows),
                        context.metrics().reorg()),
                state,
                serializer,
                context.clock());
    }

    private static Optional<Hash256> activeBlockAt(PoolContext context, long height, Deadline deadline) {
        return Optional.of(context.node().rpc().getBlockHash(height, deadline));
    }
}
