package org.prismpool.sharewriter.read;

import java.math.BigInteger;
import java.time.Instant;
import java.util.List;

/**
 * Workers of a miner.
 *
 * @param asOf moment of the read, by the database's clock
 * @param totalCount workers that pass the filter, which is the number of rows of all pages
 * @param activeCount active workers of the miner, whatever the filter
 * @param rows rows of the page
 */
public record WorkerBoard(Instant asOf, long totalCount, long activeCount, List<Worker> rows) {

    /** Copies the list. */
    public WorkerBoard {
        rows = List.copyOf(rows);
    }

    /**
     * One worker.
     *
     * @param name what follows {@code <recipient>.} in the username, else what follows its first dot, else
     *     {@code default}
     * @param active whether it had a share within the last ten minutes
     * @param lastShareAt acceptance of its newest share
     * @param difficulty60s accepted difficulty of the last {@link RateWindow#M1}
     * @param difficulty3h accepted difficulty of the last {@link RateWindow#H3}
     */
    public record Worker(
            String name, boolean active, Instant lastShareAt, BigInteger difficulty60s, BigInteger difficulty3h) {}
}
