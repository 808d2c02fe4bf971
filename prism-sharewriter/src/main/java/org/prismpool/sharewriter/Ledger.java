package org.prismpool.sharewriter;

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
 * All tables of one ledger, seen through one writer fence; PostgreSQL or memory.
 *
 * <p>Thread-safe. Views share connections with each other, never with the append path of {@link #shares()}.
 */
public interface Ledger {

    /**
     * Names the backend for evidence documents and dashboards.
     *
     * @return {@code postgres-psql} (contract) or {@code memory}
     */
    String backend();

    /**
     * Tells whether the content survives the process.
     *
     * @return false for the memory ledger
     */
    boolean durable();

    /**
     * Returns the share log.
     *
     * @return append and lookup of shares
     */
    ShareLedger shares();

    /**
     * Returns the reward-window reads.
     *
     * @return window reads
     */
    WindowReader windows();

    /**
     * Returns the carried balances.
     *
     * @return balance reads
     */
    PriorBalances balances();

    /**
     * Returns the proof of the carried balances.
     *
     * @return integrity reads
     */
    CarryIntegrity integrity();

    /**
     * Returns the rows of landed blocks.
     *
     * @return block rows
     */
    PoolBlocks blocks();

    /**
     * Returns the rows that follow the chain: watch sets, quarantine, maturity.
     *
     * @return reorg rows
     */
    ReorgRows reorg();

    /**
     * Returns the durable block candidates.
     *
     * @return outbox rows
     */
    CandidateOutboxRows outbox();

    /**
     * Returns the audit bundle rows.
     *
     * @return audit rows
     */
    AuditRows audits();

    /**
     * Returns the settlement artifacts.
     *
     * @return fanout rows
     */
    FanoutRows fanouts();

    /**
     * Returns the queries behind public pages.
     *
     * @return read models
     */
    PublicReads reads();
}
