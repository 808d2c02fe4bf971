package org.prismpool.app.bench.jobs;

import java.time.Duration;
import java.util.List;
import org.prismpool.app.devnode.DevNode;
import org.prismpool.app.devnode.fault.Fault;
import org.prismpool.app.devnode.fault.FaultPlan;

/** Puts latencies around the calls to the node that a refresh makes. Stateless. */
final class SlowNode {

    private static final List<String> SMALL =
            List.of("getbestblockhash", "getblockchaininfo", "getblockheader", "getblockhash", "getblockcount");
    private static final String TEMPLATE = "getblocktemplate";

    private SlowNode() {}

    static void slow(DevNode node, Latencies latencies) {
        SMALL.forEach(method -> slow(node, method, latencies.smallRpc()));
        slow(node, TEMPLATE, latencies.template());
    }

    private static void slow(DevNode node, String method, Duration latency) {
        if (!latency.isZero()) {
            node.faults().add(method, new Fault.Latency(latency, latency), FaultPlan.UNTIL_CLEARED);
        }
    }

    /** What {@link #slow} adds to a call. */
    static Duration latency(String method, Latencies latencies) {
        if (method.equals(TEMPLATE)) {
            return latencies.template();
        }
        return SMALL.contains(method) ? latencies.smallRpc() : Duration.ZERO;
    }
}
