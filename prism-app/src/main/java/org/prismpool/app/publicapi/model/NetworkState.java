package org.prismpool.app.publicapi.model;

import org.prismpool.app.publicapi.model.formula.CompactBits;

/**
 * The chain as the node sees it.
 *
 * @param chain name that the node uses
 * @param height height of the tip, 0 or more
 * @param tipHash display hash of the tip, zeros if unknown
 * @param bits compact target of the next block, or of the tip
 * @param initialDownload whether the node still downloads
 * @param peers connections, 0 if unknown
 */
public record NetworkState(
        String chain, long height, String tipHash, CompactBits bits, boolean initialDownload, long peers) {}
