package org.prismpool.sharewriter.memory;

import java.util.function.LongSupplier;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.ShareLedger;
import org.prismpool.sharewriter.balance.CarryIntegrity;
import org.prismpool.sharewriter.balance.PriorBalances;
import org.prismpool.sharewriter.block.AuditRows;
import org.prismpool.sharewriter.block.CandidateOutboxRows;
import org.prismpool.sharewriter.block.PoolBlocks;
import org.prismpool.sharewriter.block.ReorgRows;
import org.prismpool.sharewriter.fanout.FanoutRows;
import org.prismpool.sharewriter.read.PublicReads;
import org.prismpool.sharewriter.window.WindowReader;

/**
 * A complete ledger in memory: the same answers as on PostgreSQL, gone with the process, without a lease.
 *
 * <p>Thread-safe: one lock over one state, no I/O inside.
 */
public final class MemoryLedger implements Ledger {

    private final MemoryShares shares;
    private final MemoryWindows windows;
    private final MemoryBalances balances;
    private final MemoryBlocks blocks;
    private final MemoryReorg reorg;
    private final MemoryOutbox outbox;
    private final MemoryAudits audits;
    private final MemoryFanouts fanouts;
    private final MemoryPublicReads reads;

    /**
     * Creates an empty ledger.
     *
     * @param wallClockMs Unix milliseconds, in the place of the database's clock
     */
    public MemoryLedger(LongSupplier wallClockMs) {
        this(wallClockMs, 1);
    }

    /**
     * Creates an empty ledger whose first share gets a chosen sequence.
     *
     * @param wallClockMs Unix milliseconds, in the place of the database's clock
     * @param firstShareSeq first sequence, 1 or more
     */
    public MemoryLedger(LongSupplier wallClockMs, long firstShareSeq) {
        if (firstShareSeq < 1) {
            throw new IllegalArgumentException("the first share sequence must be 1 or more");
        }
        MemoryState state = new MemoryState(wallClockMs, firstShareSeq);
        this.shares = new MemoryShares(state);
        this.windows = new MemoryWindows(state);
        this.balances = new MemoryBalances(state);
        this.blocks = new MemoryBlocks(state);
        this.reorg = new MemoryReorg(state);
        this.outbox = new MemoryOutbox(state);
        this.audits = new MemoryAudits(state);
        this.fanouts = new MemoryFanouts(state);
        this.reads = new MemoryPublicReads(state, windows, balances, fanouts);
    }

    @Override
    public String backend() {
        return "memory";
    }

    @Override
    public boolean durable() {
        return false;
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
        return balances;
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
