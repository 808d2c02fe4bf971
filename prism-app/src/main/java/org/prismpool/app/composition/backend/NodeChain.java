package org.prismpool.app.composition.backend;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.prismpool.lifecycle.time.CancelledException;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.refresh.ChainTip;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.rpc.ChainInfo;
import org.prismpool.templates.rpc.NodeRpc;
import org.prismpool.templates.rpc.RpcException;
import org.prismpool.templates.rpc.RpcFailure;

/** The refresher's view of the chain, over the node's RPC. */
public final class NodeChain implements ChainTip {

    private final NodeRpc node;
    private final NodeRpc waiting;
    private final Network network;

    /**
     * Creates the adapter.
     *
     * @param node for short calls
     * @param waiting for the long poll, cancelled at shutdown
     * @param network chain of the node
     */
    public NodeChain(NodeRpc node, NodeRpc waiting, Network network) {
        this.node = node;
        this.waiting = waiting;
        this.network = network;
    }

    @Override
    public Hash256 bestHash(Deadline deadline) throws IOException {
        return call(() -> node.getBestBlockHash(deadline));
    }

    @Override
    public Hash256 parentOf(Hash256 tip, Deadline deadline) throws IOException {
        return call(() -> node.getBlockParent(tip, deadline))
                .orElseThrow(() -> new IOException("the node does not know block " + tip.displayHex()));
    }

    @Override
    public ChainTrust trust(Deadline deadline) throws IOException {
        ChainInfo info = call(() -> node.getBlockchainInfo(deadline));
        return org.prismpool.templates.ChainTrust.of(network, info)
                .distrust()
                .map(ChainTrust::no)
                .orElseGet(ChainTrust::yes);
    }

    @Override
    public WaitAnswer awaitChange(Hash256 known, Duration serverWait, Deadline deadline) throws IOException {
        try {
            Optional<Hash256> tip = waiting.waitForNewBlock(serverWait, known, deadline);
            return new Tip(tip.orElse(known));
        } catch (RpcException failed) {
            if (failed.unsupported()) {
                return new Unsupported();
            }
            if (failed.failure() instanceof RpcFailure.Cancelled cancelled) {
                throw new CancelledException(cancelled.message());
            }
            throw new IOException(failed.getMessage(), failed);
        }
    }

    private interface Call<R> {
        R run();
    }

    private static <R> R call(Call<R> call) throws IOException {
        try {
            return call.run();
        } catch (RpcException failed) {
            throw new IOException(failed.getMessage(), failed);
        }
    }
}
