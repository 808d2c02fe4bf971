package org.prismpool.app.devnode.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.prismpool.app.devnode.chain.Coin;
import org.prismpool.app.devnode.chain.OutPoint;
import org.prismpool.app.devnode.mempool.MempoolEntry;
import org.prismpool.app.devnode.mempool.RelayFee;
import org.prismpool.app.devnode.state.Chainstate;
import org.prismpool.app.devnode.state.MempoolGate;
import org.prismpool.app.devnode.validation.BlockDecoder;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.MalformedBytesException;
import org.prismpool.templates.chain.Transaction;

/** Methods about transactions that wait for a block. */
final class MempoolMethods {

    /** Lowest fee rate that is relayed, in coins per 1000 bytes, as a fresh regtest node answers it. */
    static final BigDecimal MIN_FEE_RATE = Json.coins(RelayFee.SATS_PER_KILOBYTE);

    private static final long LARGEST_POOL_BYTES = 300_000_000;

    private final RpcContext context;

    MempoolMethods(RpcContext context) {
        this.context = context;
    }

    List<RpcMethod> all() {
        return List.of(
                RpcMethod.of("getmempoolinfo", List.of(), params -> info()),
                RpcMethod.of("getrawmempool", List.of("verbose", "mempool_sequence"), this::list),
                RpcMethod.of("getmempoolentry", List.of("txid"), this::entry),
                RpcMethod.of("sendrawtransaction", List.of("hexstring", "maxfeerate", "maxburnamount"), this::send),
                RpcMethod.of("testmempoolaccept", List.of("rawtxs", "maxfeerate"), this::test),
                RpcMethod.of("submitpackage", List.of("package", "maxfeerate", "maxburnamount"), this::submitPackage),
                RpcMethod.of("estimatesmartfee", List.of("conf_target", "estimate_mode"), this::estimate));
    }

    private JsonNode info() {
        return context.core().locked(chain -> {
            List<MempoolEntry> entries = chain.mempool().entries();
            long bytes = entries.stream()
                    .mapToLong(entry -> entry.transaction().size())
                    .sum();
            return Json.object()
                    .put("loaded", true)
                    .put("size", entries.size())
                    .put("bytes", bytes)
                    .put("usage", bytes)
                    .put("maxmempool", LARGEST_POOL_BYTES)
                    .put("mempoolminfee", MIN_FEE_RATE)
                    .put("minrelaytxfee", MIN_FEE_RATE)
                    .put("unbroadcastcount", 0);
        });
    }

    private JsonNode list(Params params) {
        boolean verbose = params.flag(0, false);
        return context.core().locked(chain -> {
            ArrayNode ids = Json.array();
            ObjectNode details = Json.object();
            for (MempoolEntry entry : chain.mempool().entries()) {
                String txid = entry.transaction().txid().displayHex();
                ids.add(txid);
                details.set(txid, entryJson(entry));
            }
            return verbose ? details : ids;
        });
    }

    private JsonNode entry(Params params) {
        Hash256 txid = params.hash(0);
        return context.core()
                .locked(chain -> chain.mempool()
                        .find(txid)
                        .map(MempoolMethods::entryJson)
                        .orElseThrow(() -> new RpcException(RpcException.NOT_FOUND, "Transaction not in mempool")));
    }

    private JsonNode send(Params params) {
        Transaction transaction = decode(params.text(0));
        String txid = transaction.txid().displayHex();
        return context.core().locked(chain -> {
            if (chain.mempool().find(transaction.txid()).isPresent()) {
                return Json.text(txid);
            }
            if (isInChain(chain, transaction)) {
                throw new RpcException(RpcException.ALREADY_IN_CHAIN, "Transaction outputs already in utxo set");
            }
            MempoolGate.Verdict verdict = chain.gate().add(transaction);
            Optional<String> reason = verdict.reason();
            if (reason.isPresent()) {
                boolean missing = reason.get().equals("bad-txns-inputs-missingorspent");
                throw new RpcException(
                        missing ? RpcException.VERIFY_ERROR : RpcException.VERIFY_REJECTED, verdict.text());
            }
            return Json.text(txid);
        });
    }

    private JsonNode test(Params params) {
        ArrayNode verdicts = Json.array();
        for (JsonNode item : params.list(0)) {
            Transaction transaction = decode(item.asText());
            JsonNode verdict = context.core().locked(chain -> verdictJson(chain, transaction));
            verdicts.add(verdict);
        }
        return verdicts;
    }

    private JsonNode submitPackage(Params params) {
        List<Transaction> transactions = new ArrayList<>();
        params.list(0).forEach(item -> transactions.add(decode(item.asText())));
        if (transactions.isEmpty() || transactions.size() > 25) {
            throw new RpcException(RpcException.INVALID_PARAMETER, "Array must contain between 1 and 25 transactions.");
        }
        List<MempoolGate.Verdict> verdicts =
                context.core().locked(chain -> chain.gate().addTogether(transactions));
        ObjectNode results = Json.object();
        boolean allIn = true;
        for (int i = 0; i < verdicts.size(); i++) {
            Transaction transaction = transactions.get(i);
            ObjectNode result = results.putObject(transaction.wtxid().displayHex())
                    .put("txid", transaction.txid().displayHex());
            if (verdicts.get(i).reason().isPresent()) {
                allIn = false;
                result.put("error", verdicts.get(i).text());
            } else {
                result.put("vsize", transaction.size());
                result.putObject("fees").put("base", Json.coins(verdicts.get(i).feeSats()));
            }
        }
        ObjectNode json = Json.object().put("package_msg", allIn ? "success" : "transaction failed");
        json.set("tx-results", results);
        json.putArray("replaced-transactions");
        return json;
    }

    private JsonNode estimate(Params params) {
        long blocks = params.number(0);
        ObjectNode json = Json.object();
        Optional<BigDecimal> rate = context.view().get().feeRate();
        if (rate.isPresent()) {
            json.put("feerate", rate.get());
        } else {
            json.putArray("errors").add("Insufficient data or no feerate found");
        }
        return json.put("blocks", blocks);
    }

    private static ObjectNode verdictJson(Chainstate chain, Transaction transaction) {
        ObjectNode json = Json.object()
                .put("txid", transaction.txid().displayHex())
                .put("wtxid", transaction.wtxid().displayHex());
        if (chain.mempool().find(transaction.txid()).isPresent()) {
            return json.put("allowed", false).put("reject-reason", "txn-already-in-mempool");
        }
        MempoolGate.Verdict verdict = chain.gate().checkRelay(transaction);
        if (verdict.reason().isPresent()) {
            String shown = verdict.reason().get().equals("bad-txns-inputs-missingorspent")
                    ? "missing-inputs"
                    : verdict.reason().get();
            return json.put("allowed", false).put("reject-reason", shown);
        }
        json.put("allowed", true).put("vsize", transaction.size());
        json.putObject("fees").put("base", Json.coins(verdict.feeSats()));
        return json;
    }

    private static ObjectNode entryJson(MempoolEntry entry) {
        ObjectNode json = Json.object()
                .put("vsize", entry.transaction().size())
                .put("weight", entry.transaction().size())
                .put("time", entry.arrivedSeconds())
                .put("wtxid", entry.transaction().wtxid().displayHex());
        json.putObject("fees").put("base", Json.coins(entry.feeSats()));
        return json;
    }

    private static boolean isInChain(Chainstate chain, Transaction transaction) {
        int outputs = transaction.outputs().size();
        for (int i = 0; i < outputs; i++) {
            Optional<Coin> coin = chain.coins().find(new OutPoint(transaction.txid(), i));
            if (coin.isPresent()) {
                return true;
            }
        }
        return false;
    }

    private static Transaction decode(String hex) {
        try {
            return BlockDecoder.decodeTransaction(hex);
        } catch (MalformedBytesException e) {
            throw new RpcException(
                    RpcException.DESERIALIZATION_ERROR, "TX decode failed. Make sure the tx has at least one input.");
        }
    }
}
