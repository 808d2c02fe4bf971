package org.prismpool.app.devnode.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.prismpool.app.devnode.chain.Coin;
import org.prismpool.app.devnode.chain.IndexedBlock;
import org.prismpool.app.devnode.chain.OutPoint;
import org.prismpool.app.devnode.mempool.MempoolEntry;
import org.prismpool.app.devnode.state.Chainstate;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionInput;

/** Methods that look up transactions and unspent outputs; confirmed transactions are found as with a transaction index. */
final class CoinMethods {

    private record Found(Transaction transaction, Optional<IndexedBlock> block) {}

    private final RpcContext context;

    CoinMethods(RpcContext context) {
        this.context = context;
    }

    List<RpcMethod> all() {
        return List.of(
                RpcMethod.of("getrawtransaction", List.of("txid", "verbosity", "blockhash"), this::transaction),
                RpcMethod.of("gettxout", List.of("txid", "n", "include_mempool"), this::output));
    }

    private JsonNode transaction(Params params) {
        Hash256 txid = params.hash(0);
        long verbosity = params.verbosity(1, 0);
        Optional<Hash256> within = params.isPresent(2) ? Optional.of(params.hash(2)) : Optional.empty();
        return context.core().locked(chain -> {
            Found found = find(chain, txid, within)
                    .orElseThrow(() -> new RpcException(
                            RpcException.NOT_FOUND,
                            "No such mempool or blockchain transaction. Use gettransaction for wallet transactions."));
            return verbosity <= 0 ? Json.text(found.transaction().hex()) : details(chain, found);
        });
    }

    private JsonNode output(Params params) {
        OutPoint point = new OutPoint(params.hash(0), params.number(1));
        boolean withMempool = params.flag(2, true);
        return context.core().locked(chain -> {
            if (withMempool && isSpentInMempool(chain, point)) {
                return Json.nothing();
            }
            return chain.coins()
                    .find(point)
                    .map(coin -> outputJson(chain, coin))
                    .or(() -> withMempool ? mempoolOutput(chain, point) : Optional.empty())
                    .orElseGet(Json::nothing);
        });
    }

    private static Optional<Found> find(Chainstate chain, Hash256 txid, Optional<Hash256> within) {
        if (within.isPresent()) {
            IndexedBlock block = chain.tree()
                    .find(within.get())
                    .orElseThrow(() -> new RpcException(RpcException.NOT_FOUND, "Block hash not found"));
            return inBlock(block, txid);
        }
        Optional<MempoolEntry> waiting = chain.mempool().find(txid);
        if (waiting.isPresent()) {
            return Optional.of(new Found(waiting.get().transaction(), Optional.empty()));
        }
        Optional<IndexedBlock> block = Optional.of(chain.tree().tip());
        while (block.isPresent()) {
            Optional<Found> found = inBlock(block.get(), txid);
            if (found.isPresent()) {
                return found;
            }
            block = block.get().parent();
        }
        return Optional.empty();
    }

    private static Optional<Found> inBlock(IndexedBlock block, Hash256 txid) {
        return block.body().stream()
                .flatMap(body -> body.transactions().stream())
                .filter(transaction -> transaction.txid().equals(txid))
                .map(transaction -> new Found(transaction, Optional.of(block)))
                .findFirst();
    }

    private static ObjectNode details(Chainstate chain, Found found) {
        ObjectNode json = TransactionJson.of(found.transaction(), chain.rules().network());
        found.block().ifPresent(block -> {
            boolean active = chain.tree().isActive(block);
            json.put("blockhash", block.hash().displayHex())
                    .put("in_active_chain", active)
                    .put("confirmations", active ? chain.tree().tip().height() - block.height() + 1 : 0)
                    .put("time", block.header().time())
                    .put("blocktime", block.header().time());
        });
        return json;
    }

    private static JsonNode outputJson(Chainstate chain, Coin coin) {
        ObjectNode json = Json.object()
                .put("bestblock", chain.tree().tip().hash().displayHex())
                .put("confirmations", chain.tree().tip().height() - coin.height() + 1)
                .put("value", Json.coins(coin.output().valueSats()));
        json.set(
                "scriptPubKey",
                TransactionJson.script(coin.output().script(), chain.rules().network()));
        return json.put("coinbase", coin.coinbase());
    }

    private static Optional<JsonNode> mempoolOutput(Chainstate chain, OutPoint point) {
        return chain.mempool()
                .find(point.txid())
                .map(entry -> entry.transaction().outputs())
                .filter(outputs -> point.index() < outputs.size())
                .map(outputs -> {
                    Coin coin = new Coin(
                            outputs.get((int) point.index()), chain.tree().tip().height() + 1, false);
                    return outputJson(chain, coin);
                });
    }

    private static boolean isSpentInMempool(Chainstate chain, OutPoint point) {
        for (MempoolEntry entry : chain.mempool().entries()) {
            for (TransactionInput input : entry.transaction().inputs()) {
                if (input.previousIndex() == point.index()
                        && input.previousTxid().equals(point.txid())) {
                    return true;
                }
            }
        }
        return false;
    }
}
