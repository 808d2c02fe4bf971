package org.prismpool.app.composition.backend;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.prismpool.config.Environment;
import org.prismpool.config.Secret;
import org.prismpool.config.variable.BlockVariables;
import org.prismpool.config.variable.NodeVariables;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.rpc.HttpNodeRpc;
import org.prismpool.templates.rpc.NodeRpc;
import org.prismpool.templates.rpc.RpcEndpoint;
import org.prismpool.templates.rpc.RpcMetrics;

/** Connections to the node and to further nodes that get found blocks. Closed by its owner, once. */
public final class NodeParts implements AutoCloseable {

    private final Network network;
    private final HttpNodeRpc node;
    private final List<HttpNodeRpc> further;

    public NodeParts(Environment e, RpcMetrics metrics) {
        this(
                e,
                metrics,
                e.get(BlockVariables.BLOCK_SUBMIT_RPC_TIMEOUT_SECONDS),
                e.find(BlockVariables.BLOCK_SUBMIT_EXTRA_URLS).orElse(List.of()));
    }

    /** Connections of a process that submits nothing: it knows neither further nodes nor the limit of a submission. */
    public static NodeParts reading(Environment e, RpcMetrics metrics) {
        return new NodeParts(e, metrics, e.get(NodeVariables.QBIT_RPC_TIMEOUT_SECONDS), List.of());
    }

    private NodeParts(Environment e, RpcMetrics metrics, Duration submit, List<Secret> urls) {
        this.network = Network.ofName(e.get(NodeVariables.QBIT_CHAIN))
                .orElseThrow(() -> new IllegalArgumentException("QBIT_CHAIN names no known chain"));
        this.node = HttpNodeRpc.to(
                new RpcEndpoint(
                        e.get(NodeVariables.QBIT_RPC_HOST),
                        e.get(NodeVariables.QBIT_RPC_PORT),
                        BackendAddresses.nodeCredentials(e)
                                .orElseThrow(() -> new IllegalArgumentException("the node needs credentials")),
                        e.get(NodeVariables.QBIT_RPC_TIMEOUT_SECONDS),
                        submit,
                        RpcEndpoint.DEFAULT_CONNECTIONS),
                metrics);
        this.further = new ArrayList<>();
        for (Secret url : urls) {
            further.add(HttpNodeRpc.to(RpcEndpoint.parse(url.reveal(), submit)));
        }
    }

    public Network network() {
        return network;
    }

    public NodeRpc rpc() {
        return node;
    }

    public List<NodeRpc> further() {
        return List.copyOf(further);
    }

    @Override
    public void close() {
        node.close();
        further.forEach(HttpNodeRpc::close);
    }
}
