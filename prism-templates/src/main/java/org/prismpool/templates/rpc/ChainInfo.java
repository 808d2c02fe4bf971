package org.prismpool.templates.rpc;

import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.templates.chain.Hash256;

/**
 * The node's view of its chain; absent members are kept apart from zero and false, because trust depends on them.
 *
 * @param chain name that the node uses
 * @param initialDownload member {@code initialblockdownload}
 * @param blocks height of the tip
 * @param headers height of the best header
 * @param bestBlock hash of the tip
 * @param bits compact target of the tip, hex
 */
public record ChainInfo(
        String chain,
        Optional<Boolean> initialDownload,
        OptionalLong blocks,
        OptionalLong headers,
        Optional<Hash256> bestBlock,
        Optional<String> bits) {}
