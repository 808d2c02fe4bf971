package org.prismpool.app.devnode.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.prismpool.app.devnode.chain.IndexedBlock;
import org.prismpool.app.devnode.chain.RawBlock;
import org.prismpool.app.devnode.fault.ChainView;
import org.prismpool.app.devnode.state.BlockDecision;
import org.prismpool.app.devnode.state.Chainstate;
import org.prismpool.templates.chain.CompactTarget;
import org.prismpool.templates.chain.Difficulty;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.Network;

/** Methods that read the chain or decide about one of its blocks. */
final class ChainMethods {

    private final RpcContext context;

    ChainMethods(RpcContext context) {
        this.context = context;
    }

    List<RpcMethod> all() {
        List<String> hash = List.of("blockhash");
        return List.of(
                RpcMethod.of("getbestblockhash", List.of(), params -> text(tip().hash())),
                RpcMethod.of("getblockcount", List.of(), params -> IntNode.valueOf(tip().height())),
                RpcMethod.of("getblockhash", List.of("height"), this::blockHash),
                RpcMethod.of("getblockheader", List.of("blockhash", "verbose"), this::blockHeader),
                RpcMethod.of("getblock", List.of("blockhash", "verbosity"), this::block),
                RpcMethod.of("getblockchaininfo", List.of(), params -> info()),
                RpcMethod.of("invalidateblock", hash, params -> decide(params, BlockDecision.INVALIDATE)),
                RpcMethod.of("reconsiderblock", hash, params -> decide(params, BlockDecision.RECONSIDER)),
                RpcMethod.of("preciousblock", hash, params -> decide(params, BlockDecision.PREFER)),
                RpcMethod.of("setmocktime", List.of("timestamp"), this::setTime));
    }

    private IndexedBlock tip() {
        return context.core().locked(chain -> chain.tree().tip());
    }

    private JsonNode blockHash(Params params) {
        long height = params.number(0);
        Optional<Hash256> genesis = context.view().get().genesis();
        if (height == 0 && genesis.isPresent()) {
            return text(genesis.get());
        }
        return context.core()
                .locked(chain -> chain.tree()
                        .activeAt(height)
                        .map(block -> text(block.hash()))
                        .orElseThrow(
                                () -> new RpcException(RpcException.INVALID_PARAMETER, "Block height out of range")));
    }

    private JsonNode blockHeader(Params params) {
        Hash256 hash = params.hash(0);
        boolean verbose = params.flag(1, true);
        return context.core().locked(chain -> {
            IndexedBlock block = find(chain, hash);
            return verbose
                    ? BlockJson.header(block, chain.tree())
                    : Json.text(Hex.encode(block.header().bytes()));
        });
    }

    private JsonNode block(Params params) {
        Hash256 hash = params.hash(0);
        long verbosity = params.verbosity(1, 1);
        Network network = context.core().locked(chain -> chain.rules().network());
        return context.core().locked(chain -> {
            IndexedBlock block = find(chain, hash);
            RawBlock body = block.body()
                    .orElseThrow(() ->
                            new RpcException(RpcException.MISC_ERROR, "Block not available (not fully downloaded)"));
            return verbosity <= 0
                    ? Json.text(Hex.encode(body.bytes()))
                    : BlockJson.block(block, body, chain.tree(), network, verbosity >= 2);
        });
    }

    private JsonNode info() {
        ChainView view = context.view().get();
        return context.core().locked(chain -> {
            IndexedBlock tip = chain.tree().tip();
            ObjectNode json = Json.object()
                    .put(
                            "chain",
                            view.chainName().orElse(chain.rules().network().chainName()))
                    .put("blocks", tip.height())
                    .put("headers", tip.height() + view.headersAhead())
                    .put("bestblockhash", tip.hash().displayHex())
                    .put("bits", CompactTarget.ofBits(tip.header().bits()).hex())
                    .put("target", tip.target().hex())
                    .put("difficulty", Difficulty.advertised(tip.target()))
                    .put("time", tip.header().time())
                    .put("mediantime", tip.medianTimePast())
                    .put("verificationprogress", 1)
                    .put(
                            "initialblockdownload",
                            view.isDownloading(
                                    tip.header().time(), chain.clock().nowSeconds()))
                    .put("chainwork", Json.wide(tip.chainWork()))
                    .put("size_on_disk", 0)
                    .put("pruned", false);
            json.putArray("warnings");
            NodeFacts.addTo(json, chain.rules().network(), tip.height() + 1);
            return json;
        });
    }

    private JsonNode decide(Params params, BlockDecision decision) {
        Hash256 hash = params.hash(0);
        return context.core().locked(chain -> {
            IndexedBlock block = find(chain, hash);
            if (decision == BlockDecision.INVALIDATE && block.height() == 0) {
                throw new RpcException(RpcException.MISC_ERROR, "the genesis block stays valid");
            }
            chain.decide(decision, block);
            return Json.nothing();
        });
    }

    private JsonNode setTime(Params params) {
        long seconds = params.number(0);
        if (seconds < 0 || seconds > 0xffffffffL) {
            throw new RpcException(
                    RpcException.INVALID_PARAMETER,
                    "Mocktime must be in the range [0, 4294967295], not " + seconds + ".");
        }
        context.core().locked(chain -> {
            chain.clock().set(seconds);
            return LongNode.valueOf(seconds);
        });
        return Json.nothing();
    }

    private static IndexedBlock find(Chainstate chain, Hash256 hash) {
        return chain.tree().find(hash).orElseThrow(() -> new RpcException(RpcException.NOT_FOUND, "Block not found"));
    }

    private static JsonNode text(Hash256 hash) {
        return Json.text(hash.displayHex());
    }
}
