package org.prismpool.sharewriter.postgres;

import java.util.Optional;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.ShareLedger;
import org.prismpool.sharewriter.balance.CarryIntegrity;
import org.prismpool.sharewriter.balance.PriorBalances;
import org.prismpool.sharewriter.block.AuditRows;
import org.prismpool.sharewriter.block.CandidateOutboxRows;
import org.prismpool.sharewriter.block.PoolBlocks;
import org.prismpool.sharewriter.block.ReorgRows;
import org.prismpool.sharewriter.fanout.FanoutRows;
import org.prismpool.sharewriter.lease.WriterFence;
import org.prismpool.sharewriter.read.PublicReads;
import org.prismpool.sharewriter.read.RewardWindowCache;
import org.prismpool.sharewriter.window.WindowReader;

/** The tables of one database, seen through one fence. */
final class PostgresLedger implements Ledger {

    private final ShareLedger shares;
    private final WindowReader windows;
    private final PriorBalances balances;
    private final CarryIntegrity integrity;
    private final PoolBlocks blocks;
    private final ReorgRows reorg;
    private final CandidateOutboxRows outbox;
    private final AuditRows audits;
    private final FanoutRows fanouts;
    private final PublicReads reads;

    PostgresLedger(
            Optional<WriterFence> fence,
            WriterConnection writer,
            Transactions transactions,
            RewardWindowCache rewardWindows) {
        this.shares = new PostgresShareLedger(fence, writer, transactions);
        this.windows = new PostgresWindowReader(transactions.reads());
        this.balances = new PostgresPriorBalances(transactions);
        this.integrity = new PostgresCarryIntegrity(fence, transactions);
        this.blocks = new PostgresPoolBlocks(fence, transactions);
        this.reorg = new PostgresReorgRows(fence, transactions);
        this.outbox = new PostgresCandidateOutbox(fence, transactions);
        this.audits = new PostgresAuditRows(fence, transactions);
        this.fanouts = new PostgresFanoutRows(fence, transactions);
        this.reads = new PostgresPublicReads(transactions, rewardWindows);
    }

    @Override
    public String backend() {
        return "postgres-psql"; // the contract's name, kept for dashboards
    }

    @Override
    public boolean durable() {
        return true;
    }

    @Override
    public ShareLedger shares() {
        return shares;
    }

    @Override
    public WindowReader windows() {
        return windows;
    }

    @Override
    public PriorBalances balances() {
        return balances;
    }

    @Override
    public CarryIntegrity integrity() {
        return integrity;
    }

    @Override
    public PoolBlocks blocks() {
        return blocks;
    }

    @Override
    public ReorgRows reorg() {
        return reorg;
    }

    @Override
    public CandidateOutboxRows outbox() {
        return outbox;
    }

    @Override
    public AuditRows audits() {
        return audits;
    }

    @Override
    public FanoutRows fanouts() {
        return fanouts;
    }

    @Override
    public PublicReads reads() {
        return reads;
    }
}
