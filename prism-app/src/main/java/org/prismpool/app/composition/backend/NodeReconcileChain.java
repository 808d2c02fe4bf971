package org.prismpool.app.composition.backend;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.reorg.ReconcileChain;
import org.prismpool.templates.ChainTrust;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.rpc.NodeRpc;
import org.prismpool.templates.rpc.RpcException;

/** The node's chain as the reorganisation pass asks about it. */
public final class NodeReconcileChain implements ReconcileChain {

    private static final int INVALID_PARAMETER = -8;

    private final NodeRpc node;
    private final Network network;

    public NodeReconcileChain(NodeRpc node, Network network) {
        this.node = node;
        this.network = network;
    }

    @Override
    public Optional<String> distrust(Deadline deadline) {
        return ChainTrust.of(network, node.getBlockchainInfo(deadline)).distrust();
    }

    @Override
    public long tipHeight(Deadline deadline) {
        return node.getBlockCount(deadline);
    }

    @Override
    public Map<Long, Hash256> blocksAt(List<Long> heights, Deadline deadline) {
        Map<Long, Hash256> blocks = new HashMap<>();
        for (long height : heights) {
            try {
                blocks.put(height, node.getBlockHash(height, deadline));
            } catch (RpcException failed) {
                if (failed.failure().code() != INVALID_PARAMETER) {
                    throw failed;
                }
                // the chain became shorter meanwhile
            }
        }
        return blocks;
    }
}
