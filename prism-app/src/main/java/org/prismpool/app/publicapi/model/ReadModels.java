package org.prismpool.app.publicapi.model;

import java.time.Clock;
import org.prismpool.app.publicapi.PublicModels;
import org.prismpool.sharewriter.read.PublicReads;

/** Puts the documents together; needs no coordinator. */
public final class ReadModels {

    private ReadModels() {}

    /**
     * Creates all documents.
     *
     * @param reads ledger, on read connections only
     * @param network node
     * @param bodies audit files
     * @param settings what the operator shows
     * @param clock wall clock of {@code generated_at} and of series
     * @return the documents; thread-safe
     */
    public static PublicModels of(
            PublicReads reads, NetworkView network, BundleBodies bodies, PublicSettings settings, Clock clock) {
        PublicLedger ledger = new PublicLedger(
                reads, reads.pool(), reads.blocks(), reads.leaderboards(), reads.miners(), reads.settlements());
        return new PublicModels(
                new PoolDocuments(ledger, network, settings, clock),
                new BlockDocuments(ledger, bodies, settings.explorer(), clock),
                new MinerDocuments(ledger, network, settings, clock));
    }
}
