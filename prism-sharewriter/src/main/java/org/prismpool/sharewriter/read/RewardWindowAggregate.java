package org.prismpool.sharewriter.read;

import java.math.BigInteger;
import java.util.List;
import java.util.OptionalLong;

/**
 * Pool-wide aggregate of the reward window of now.
 *
 * @param anchorMs database time of the read, Unix milliseconds
 * @param requestedWeight eight times the network difficulty
 * @param countedWeight work counted; below the requested weight while the window is not full
 * @param includedShares shares of the window
 * @param oldestAcceptedAtMs acceptance of the oldest share, empty for an empty window
 * @param newestAcceptedAtMs acceptance of the newest share, empty for an empty window
 * @param miners miners of the window, by counted work descending, then id
 */
public record RewardWindowAggregate(
        long anchorMs,
        BigInteger requestedWeight,
        BigInteger countedWeight,
        long includedShares,
        OptionalLong oldestAcceptedAtMs,
        OptionalLong newestAcceptedAtMs,
        List<MinerWork> miners) {

    /** Copies the list. */
    public RewardWindowAggregate {
        miners = List.copyOf(miners);
    }

    /**
     * One miner's part.
     *
     * @param minerId miner
     * @param counted counted work
     * @param includedShares shares in the window
     * @param lastShareAtMs acceptance of the newest of them
     */
    public record MinerWork(String minerId, BigInteger counted, long includedShares, long lastShareAtMs) {}
}
