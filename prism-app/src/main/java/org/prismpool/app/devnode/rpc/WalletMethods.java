package org.prismpool.app.devnode.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.prismpool.app.devnode.chain.Coin;
import org.prismpool.app.devnode.chain.OutPoint;
import org.prismpool.app.devnode.state.Chainstate;
import org.prismpool.app.devnode.validation.BlockDecoder;
import org.prismpool.templates.chain.AddressVerdict;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Hex;
import org.prismpool.templates.chain.MalformedBytesException;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.P2mrAddress;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionInput;

/** Methods about addresses and the coins of the node's own ones. Signing adds a witness that no script judges. */
final class WalletMethods {

    private static final byte[] SIGNATURE = {1};
    private static final byte[] ANCHOR = {0x51, 0x02, 0x4e, 0x73};

    private final RpcContext context;

    WalletMethods(RpcContext context) {
        this.context = context;
    }

    List<RpcMethod> all() {
        return List.of(
                RpcMethod.of("validateaddress", List.of("address"), this::validate),
                RpcMethod.of(
                        "getnewaddress",
                        List.of("label", "address_type"),
                        params -> Json.text(context.blocks().nextAddress().text())),
                RpcMethod.of("getaddressinfo", List.of("address"), this::addressInfo),
                RpcMethod.of(
                        "listunspent",
                        List.of("minconf", "maxconf", "addresses", "include_unsafe", "query_options"),
                        this::unspent),
                RpcMethod.of(
                        "signrawtransactionwithwallet", List.of("hexstring", "prevtxs", "sighashtype"), this::sign));
    }

    private Network network() {
        return context.core().locked(chain -> chain.rules().network());
    }

    private JsonNode validate(Params params) {
        AddressVerdict verdict = P2mrAddress.check(network(), params.text(0));
        if (verdict.address().isEmpty()) {
            ObjectNode json = Json.object()
                    .put("isvalid", false)
                    .put("error", verdict.refusal().orElse("Invalid address"));
            json.putArray("error_locations");
            return json;
        }
        ObjectNode json = Json.object().put("isvalid", true);
        describe(json, verdict.address().get());
        return json;
    }

    private JsonNode addressInfo(Params params) {
        AddressVerdict verdict = P2mrAddress.check(network(), params.text(0));
        P2mrAddress address = verdict.address()
                .orElseThrow(() -> new RpcException(
                        RpcException.NOT_FOUND, verdict.refusal().orElse("Invalid address")));
        boolean own = context.blocks().isOwn(address);
        ObjectNode json = Json.object();
        describe(json, address);
        json.put("ismine", own).put("solvable", own).put("iswatchonly", false).put("ischange", false);
        json.putArray("labels");
        return json;
    }

    private static void describe(ObjectNode json, P2mrAddress address) {
        json.put("address", address.text())
                .put("scriptPubKey", address.scriptHex())
                .put("isscript", true)
                .put("iswitness", true)
                .put("witness_version", 2)
                .put("witness_program", address.programHex());
    }

    private JsonNode unspent(Params params) {
        long least = params.number(0, 1);
        long most = params.number(1, 9_999_999);
        Set<String> wanted = new HashSet<>();
        if (params.isPresent(2)) {
            params.list(2).forEach(address -> wanted.add(address.asText()));
        }
        return context.core().locked(chain -> {
            ArrayNode list = Json.array();
            chain.coins().forEach((point, coin) -> {
                Optional<P2mrAddress> address = owner(chain, coin);
                long confirmations = chain.tree().tip().height() - coin.height() + 1L;
                boolean ripe = !coin.coinbase() || confirmations > chain.rules().coinbaseMaturity();
                boolean named = wanted.isEmpty()
                        || address.filter(own -> wanted.contains(own.text())).isPresent();
                if (address.isPresent() && ripe && named && confirmations >= least && confirmations <= most) {
                    list.add(unspentJson(point, coin, address.get(), confirmations));
                }
            });
            return list;
        });
    }

    private Optional<P2mrAddress> owner(Chainstate chain, Coin coin) {
        return P2mrAddress.programOfScript(coin.output().script())
                .map(program -> P2mrAddress.of(chain.rules().network(), program))
                .filter(context.blocks()::isOwn);
    }

    private static ObjectNode unspentJson(OutPoint point, Coin coin, P2mrAddress address, long confirmations) {
        return Json.object()
                .put("txid", point.txid().displayHex())
                .put("vout", point.index())
                .put("address", address.text())
                .put("scriptPubKey", address.scriptHex())
                .put("amount", Json.coins(coin.output().valueSats()))
                .put("confirmations", confirmations)
                .put("spendable", true)
                .put("solvable", true)
                .put("safe", true);
    }

    private JsonNode sign(Params params) {
        Transaction transaction;
        try {
            transaction = BlockDecoder.decodeTransaction(params.text(0));
        } catch (MalformedBytesException e) {
            throw new RpcException(
                    RpcException.DESERIALIZATION_ERROR, "TX decode failed. Make sure the tx has at least one input.");
        }
        Map<OutPoint, byte[]> told = previousScripts(params);
        return context.core().locked(chain -> signAll(chain, transaction, told));
    }

    private JsonNode signAll(Chainstate chain, Transaction transaction, Map<OutPoint, byte[]> told) {
        List<TransactionInput> inputs = new ArrayList<>();
        ArrayNode errors = Json.array();
        for (TransactionInput input : transaction.inputs()) {
            OutPoint point = new OutPoint(input.previousTxid(), input.previousIndex());
            Optional<byte[]> script = script(chain, point).or(() -> Optional.ofNullable(told.get(point)));
            boolean own = script.flatMap(P2mrAddress::programOfScript)
                    .map(program -> P2mrAddress.of(chain.rules().network(), program))
                    .filter(context.blocks()::isOwn)
                    .isPresent();
            boolean needsNothing = !input.witness().isEmpty()
                    || script.filter(bytes -> Arrays.equals(bytes, ANCHOR)).isPresent();
            if (!own && !needsNothing) {
                errors.addObject()
                        .put("txid", input.previousTxid().displayHex())
                        .put("vout", input.previousIndex())
                        .put("error", "Input not found or already spent");
            }
            inputs.add(own ? signed(input) : input);
        }
        Transaction result =
                Transaction.of(transaction.version(), inputs, transaction.outputs(), transaction.lockTime());
        ObjectNode json = Json.object().put("hex", result.hex()).put("complete", errors.isEmpty());
        if (!errors.isEmpty()) {
            json.set("errors", errors);
        }
        return json;
    }

    private static Optional<byte[]> script(Chainstate chain, OutPoint point) {
        return chain.coins()
                .find(point)
                .map(coin -> coin.output().script())
                .or(() -> chain.mempool()
                        .find(point.txid())
                        .map(entry -> entry.transaction().outputs())
                        .filter(outputs -> point.index() < outputs.size())
                        .map(outputs -> outputs.get((int) point.index()).script()));
    }

    private static Map<OutPoint, byte[]> previousScripts(Params params) {
        Map<OutPoint, byte[]> scripts = new HashMap<>();
        if (params.isPresent(1)) {
            for (JsonNode output : params.list(1)) {
                try {
                    Hash256 txid = Hash256.ofDisplayHex(output.path("txid").asText());
                    byte[] script = Hex.decode(output.path("scriptPubKey").asText());
                    scripts.put(new OutPoint(txid, output.path("vout").asLong()), script);
                } catch (IllegalArgumentException e) {
                    throw new RpcException(RpcException.DESERIALIZATION_ERROR, "prevtxs malformed");
                }
            }
        }
        return scripts;
    }

    private static TransactionInput signed(TransactionInput input) {
        return new TransactionInput(
                input.previousTxid(), input.previousIndex(), input.scriptSig(), input.sequence(), List.of(SIGNATURE));
    }
}
