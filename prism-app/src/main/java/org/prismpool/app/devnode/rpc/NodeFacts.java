package org.prismpool.app.devnode.rpc;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.prismpool.templates.chain.Network;

/** Facts about the rules that a node repeats in several answers. */
final class NodeFacts {

    private static final int SIGOP_WEIGHT = 3_683;
    private static final int EARLY_TESTNET_SIGOP_WEIGHT = 3_730;
    private static final int TESTNET_LATE_RULES_HEIGHT = 60_000;

    private NodeFacts() {}

    /** Adds the time limit and the signature weight that hold for a block at a height. */
    static void addTo(ObjectNode json, Network network, int height) {
        int activation = network == Network.TESTNET4 ? TESTNET_LATE_RULES_HEIGHT : 0;
        boolean active = height >= activation;
        json.putObject("future_block_time")
                .put("limit_seconds", network.futureTimeLimitSeconds(height))
                .put("v2_active", active)
                .put("v2_activation_height", activation);
        json.putObject("p2mr_validation_weight")
                .put("per_sigop", active ? SIGOP_WEIGHT : EARLY_TESTNET_SIGOP_WEIGHT)
                .put("v2_active", active)
                .put("v2_activation_height", activation);
    }
}
