package org.prismpool.app.devnode.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigInteger;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.prismpool.app.devnode.chain.IndexedBlock;
import org.prismpool.app.devnode.fault.ChainView;
import org.prismpool.templates.chain.CompactTarget;
import org.prismpool.templates.chain.Difficulty;
import org.prismpool.templates.chain.Target;

/** Methods about the node itself. */
final class NetworkMethods {

    private static final int VERSION = 10_000;
    private static final int HASH_RATE_SPAN = 120;

    private final RpcContext context;

    NetworkMethods(RpcContext context) {
        this.context = context;
    }

    List<RpcMethod> all() {
        return List.of(
                RpcMethod.of("getnetworkinfo", List.of(), params -> networkInfo()),
                RpcMethod.of("getmininginfo", List.of(), params -> miningInfo()),
                RpcMethod.of("getnetworkhashps", List.of("nblocks", "height"), params -> hashRate(params)),
                RpcMethod.of("getdifficulty", List.of(), params -> difficulty()),
                RpcMethod.of("getconnectioncount", List.of(), params -> LongNode.valueOf(view().connections())),
                RpcMethod.of("uptime", List.of(), params -> LongNode.valueOf(uptimeSeconds())),
                RpcMethod.of("stop", List.of("wait"), params -> stop()));
    }

    private ChainView view() {
        return context.view().get();
    }

    private JsonNode networkInfo() {
        int connections = view().connections();
        ObjectNode json = Json.object()
                .put("version", VERSION)
                .put("subversion", "/prism-devnode:1.0.0/")
                .put("protocolversion", 70016)
                .put("connections", connections)
                .put("connections_in", 0)
                .put("connections_out", connections)
                .put("networkactive", true)
                .put("relayfee", MempoolMethods.MIN_FEE_RATE);
        json.putArray("warnings");
        return json;
    }

    private JsonNode miningInfo() {
        return context.core().locked(chain -> {
            IndexedBlock tip = chain.tree().tip();
            CompactTarget next = CompactTarget.ofBits(chain.rules().nextBits(tip));
            ObjectNode json = Json.object()
                    .put("blocks", tip.height())
                    .put("bits", CompactTarget.ofBits(tip.header().bits()).hex())
                    .put("difficulty", Difficulty.advertised(tip.target()))
                    .put("target", tip.target().hex())
                    .put("networkhashps", hashesPerSecond(tip, HASH_RATE_SPAN))
                    .put("pooledtx", chain.mempool().entries().size())
                    .put(
                            "chain",
                            view().chainName().orElse(chain.rules().network().chainName()));
            json.putObject("next")
                    .put("height", tip.height() + 1)
                    .put("bits", next.hex())
                    .put("difficulty", Difficulty.advertised(next.target()))
                    .put("target", next.target().hex());
            json.putArray("warnings");
            return json;
        });
    }

    private JsonNode hashRate(Params params) {
        long span = params.number(0, HASH_RATE_SPAN);
        long height = params.number(1, -1);
        return context.core().locked(chain -> {
            IndexedBlock end = chain.tree().activeAt(height).orElse(chain.tree().tip());
            long blocks = span <= 0 ? end.height() : Math.min(span, end.height());
            return DoubleNode.valueOf(hashesPerSecond(end, (int) blocks));
        });
    }

    private JsonNode difficulty() {
        Target target = context.core().locked(chain -> chain.tree().tip().target());
        return DoubleNode.valueOf(Difficulty.advertised(target));
    }

    private JsonNode stop() {
        context.stopRequests().incrementAndGet();
        return Json.text("qbit development node stopping");
    }

    private long uptimeSeconds() {
        return TimeUnit.NANOSECONDS.toSeconds(context.uptime().nanoTime() - context.startNanos());
    }

    private static double hashesPerSecond(IndexedBlock end, int span) {
        IndexedBlock start = end.ancestor(Math.max(0, end.height() - span));
        long seconds = end.header().time() - start.header().time();
        BigInteger work = end.chainWork().subtract(start.chainWork());
        return seconds <= 0 ? 0 : work.doubleValue() / seconds;
    }
}
