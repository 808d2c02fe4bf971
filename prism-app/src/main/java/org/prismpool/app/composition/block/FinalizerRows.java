package org.prismpool.app.composition.block;

import java.util.List;
import java.util.Optional;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.ctv.FanoutManifestSet;
import org.prismpool.payout.finalization.BlockEvidence;
import org.prismpool.payout.finalization.CandidateIntent;
import org.prismpool.payout.finalization.EncodedIntent;
import org.prismpool.payout.finalization.IntentCodec;
import org.prismpool.payout.finalization.SettlementRows;
import org.prismpool.sharewriter.AcceptedStats;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.AppendResult;
import org.prismpool.sharewriter.CommitGate;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.OutboxIntent;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.ShareTotals;
import org.prismpool.templates.chain.Hash256;

/** Rows that follow a confirmed block: fanouts, and the share of a block found below its share target. */
public final class FinalizerRows implements SettlementRows {

    private final Ledger ledger;
    private final BarrierWrites writes;
    private final AcceptedStats stats;
    private final FanoutStore fanouts;
    private final CommitGate gate;
    private final CreditHolds credits;

    /** Stores a verified manifest set; see the ledger's fanout rows. */
    @FunctionalInterface
    public interface FanoutStore {
        void store(Hash256 block, FanoutManifestSet set, Deadline deadline);
    }

    /**
     * Creates the adapter.
     *
     * @param ledger where rows go
     * @param writes keeps the lease while a write runs
     * @param stats counts credited shares
     * @param fanouts stores manifest sets
     * @param gate what every commit of shares passes, the late credit of a block's share included
     * @param credits let windows go on once the share is durable
     */
    public FinalizerRows(
            Ledger ledger,
            BarrierWrites writes,
            AcceptedStats stats,
            FanoutStore fanouts,
            CommitGate gate,
            CreditHolds credits) {
        this.ledger = ledger;
        this.writes = writes;
        this.stats = stats;
        this.fanouts = fanouts;
        this.gate = gate;
        this.credits = credits;
    }

    @Override
    public void storeFanouts(Hash256 block, FanoutManifestSet set, Deadline deadline) {
        writes.run(() -> fanouts.store(block, set, deadline));
    }

    @Override
    public void creditShare(CandidateIntent intent, Deadline deadline) {
        deadline.check("credit-share");
        EncodedIntent encoded = IntentCodec.encode(intent);
        OutboxIntent outbox = new OutboxIntent(intent.solution().hash().displayHex(), encoded.json(), encoded.sha256());
        AppendEntry entry = new AppendEntry(Solves.pending(intent), Optional.of(outbox));
        AppendResult result = writes.call(() -> append(entry));
        if (!result.durable()) {
            throw new IllegalStateException(
                    "the share of block " + intent.solution().hash().displayHex() + " was not credited: " + result);
        }
        if (result instanceof AppendResult.New fresh) {
            stats.added(fresh.shareSeq(), intent.share().identity().recipientId());
        }
        credits.release(intent.solution().hash());
    }

    private AppendResult append(AppendEntry entry) {
        List<PendingShare> shares = List.of(entry.share());
        try (CommitGate.Passage passage = gate.enter(shares)) {
            AppendResult result = ledger.shares().append(List.of(entry)).get(0);
            if (result instanceof AppendResult.New) {
                passage.committed(shares);
            }
            return result;
        }
    }

    @Override
    public BlockEvidence.ShareCounts shareCounts(Deadline deadline) {
        ShareTotals totals = stats.totals();
        return new BlockEvidence.ShareCounts(totals.acceptedShares(), totals.distinctMiners());
    }
}
