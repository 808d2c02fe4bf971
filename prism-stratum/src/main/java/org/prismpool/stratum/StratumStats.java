package org.prismpool.stratum;

import java.util.Map;

/**
 * Values of the server's gauges at one moment (spec 02 §9).
 *
 * @param activeConnections connections from accept on, over all listeners
 * @param connectionLimit the ceiling, 0 for none
 * @param peakConnections most connections at one time
 * @param subscribed subscribed sessions
 * @param authorized authorized sessions
 * @param ioThreads event loop threads
 * @param atMaxDifficulty sessions at their listener's maximum
 * @param rememberedDifficulties names in the difficulty memory
 * @param idleQueued idle steps waiting
 * @param idleRunning idle steps under way
 * @param coinbaseBytes coinb1 + coinb2 of the last stamped work
 * @param notifyBytes length of its notify line
 * @param acceptedPerSecond accepted shares per second of each listener over the last minute
 */
public record StratumStats(
        int activeConnections,
        int connectionLimit,
        int peakConnections,
        int subscribed,
        int authorized,
        int ioThreads,
        int atMaxDifficulty,
        int rememberedDifficulties,
        int idleQueued,
        int idleRunning,
        int coinbaseBytes,
        int notifyBytes,
        Map<String, Double> acceptedPerSecond) {}
