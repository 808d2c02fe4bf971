package org.prismpool.app.publicapi.model;

import org.prismpool.sharewriter.read.FoundBlocks;
import org.prismpool.sharewriter.read.Leaderboards;
import org.prismpool.sharewriter.read.MinerReads;
import org.prismpool.sharewriter.read.PoolStatistics;
import org.prismpool.sharewriter.read.PublicReads;
import org.prismpool.sharewriter.read.SettlementReads;

/**
 * The ledger as public pages read it: on read connections only.
 *
 * @param windows reward window
 * @param pool totals and series
 * @param blocks landed blocks
 * @param leaderboards miners by their work
 * @param miners one miner
 * @param settlements settlement documents
 */
public record PublicLedger(
        PublicReads windows,
        PoolStatistics pool,
        FoundBlocks blocks,
        Leaderboards leaderboards,
        MinerReads miners,
        SettlementReads settlements) {}
