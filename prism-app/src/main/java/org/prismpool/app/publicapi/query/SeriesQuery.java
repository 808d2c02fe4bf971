package org.prismpool.app.publicapi.query;

import java.util.Optional;

/**
 * Which hash-rate series is asked for.
 *
 * @param miner recipient whose shares count, empty for the whole pool
 * @param range how far back
 * @param bucket length of a point, {@code auto} already resolved
 */
public record SeriesQuery(Optional<String> miner, SeriesRange range, SeriesBucket bucket) {}
