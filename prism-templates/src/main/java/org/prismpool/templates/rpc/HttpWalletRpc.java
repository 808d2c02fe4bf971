package org.prismpool.templates.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.chain.Hash256;

/** {@link WalletRpc} on the connections of a {@link HttpNodeRpc}. Thread-safe. */
final class HttpWalletRpc implements WalletRpc {

    private static final int MOST_CONFIRMATIONS = 9_999_999;

    private final RpcCaller caller;
    private final CancelSignal cancel;

    HttpWalletRpc(RpcCaller caller, CancelSignal cancel) {
        this.caller = caller;
        this.cancel = cancel;
    }

    @Override
    public OptionalLong getConfirmations(Hash256 txid, Deadline deadline) {
        RpcMethod method = RpcMethod.GET_RAW_TRANSACTION;
        Optional<JsonNode> found = ifFound(method, List.of(txid.displayHex(), true), deadline);
        if (found.isEmpty()) {
            return OptionalLong.empty();
        }
        OptionalLong confirmations = RpcAnswers.optionalInteger(
                method, RpcAnswers.object(method, found.get()).path("confirmations"));
        return OptionalLong.of(confirmations.orElse(0));
    }

    @Override
    public List<Hash256> getRawMempool(Deadline deadline) {
        RpcMethod method = RpcMethod.GET_RAW_MEMPOOL;
        JsonNode ids = array(method, send(method, "/", List.of(), deadline));
        List<Hash256> hashes = new ArrayList<>(ids.size());
        ids.forEach(id -> hashes.add(RpcAnswers.hash(method, id)));
        return hashes;
    }

    @Override
    public boolean isUnspent(Hash256 txid, long index, Deadline deadline) {
        RpcMethod method = RpcMethod.GET_TX_OUT;
        JsonNode output = send(method, "/", List.of(txid.displayHex(), index, false), deadline);
        return !output.isNull() && RpcAnswers.object(method, output).isObject();
    }

    @Override
    public Optional<JsonNode> getBlockWithTransactions(Hash256 hash, Deadline deadline) {
        RpcMethod method = RpcMethod.GET_BLOCK;
        return ifFound(method, List.of(hash.displayHex(), 2), deadline).map(block -> RpcAnswers.object(method, block));
    }

    @Override
    public OptionalLong getBlockConfirmations(Hash256 hash, Deadline deadline) {
        RpcMethod method = RpcMethod.GET_BLOCK;
        Optional<JsonNode> block = ifFound(method, List.of(hash.displayHex()), deadline);
        return block.isEmpty()
                ? OptionalLong.empty()
                : RpcAnswers.optionalInteger(
                        method, RpcAnswers.object(method, block.get()).path("confirmations"));
    }

    @Override
    public List<WalletOutput> listUnspent(String wallet, Deadline deadline) {
        RpcMethod method = RpcMethod.LIST_UNSPENT;
        List<?> params = List.of(1, MOST_CONFIRMATIONS, List.of(), true);
        List<WalletOutput> outputs = new ArrayList<>();
        for (JsonNode output : array(method, send(method, path(wallet), params, deadline))) {
            if (output.path("spendable").asBoolean(false)) {
                outputs.add(output(method, output));
            }
        }
        return outputs;
    }

    private static WalletOutput output(RpcMethod method, JsonNode output) {
        BigDecimal amount = RpcAnswers.decimal(output.path("amount"))
                .orElseThrow(() -> JsonRpcCodec.protocol(method, "amount is missing"));
        return new WalletOutput(
                RpcAnswers.hash(method, output.path("txid")), RpcAnswers.integer(method, output.path("vout")), amount);
    }

    @Override
    public String getNewAddress(String wallet, Deadline deadline) {
        RpcMethod method = RpcMethod.GET_NEW_ADDRESS;
        return RpcAnswers.text(method, send(method, path(wallet), List.of("", "p2mr"), deadline));
    }

    @Override
    public String getAddressScript(String wallet, String address, Deadline deadline) {
        RpcMethod method = RpcMethod.GET_ADDRESS_INFO;
        JsonNode info = RpcAnswers.object(method, send(method, path(wallet), List.of(address), deadline));
        return RpcAnswers.text(method, info.path("scriptPubKey"));
    }

    @Override
    public SignedTransaction sign(
            String wallet, String transactionHex, List<PreviousOutput> previousOutputs, Deadline deadline) {
        RpcMethod method = RpcMethod.SIGN_RAW_TRANSACTION_WITH_WALLET;
        List<?> params = List.of(
                transactionHex,
                previousOutputs.stream().map(HttpWalletRpc::previous).toList());
        JsonNode signed = RpcAnswers.object(method, send(method, path(wallet), params, deadline));
        return new SignedTransaction(
                RpcAnswers.text(method, signed.path("hex")),
                signed.path("complete").asBoolean(false));
    }

    private static Map<String, Object> previous(PreviousOutput output) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("txid", output.txid().displayHex());
        members.put("vout", output.index());
        members.put("scriptPubKey", output.scriptHex());
        members.put("amount", output.amount());
        return members;
    }

    @Override
    public JsonNode submitPackage(String parentHex, String childHex, Deadline deadline) {
        RpcMethod method = RpcMethod.SUBMIT_PACKAGE;
        List<?> params = List.of(List.of(parentHex, childHex), 0);
        return RpcAnswers.object(method, send(method, "/", params, deadline));
    }

    @Override
    public Hash256 sendRawTransaction(String transactionHex, Deadline deadline) {
        RpcMethod method = RpcMethod.SEND_RAW_TRANSACTION;
        return RpcAnswers.hash(method, send(method, "/", List.of(transactionHex), deadline));
    }

    private Optional<JsonNode> ifFound(RpcMethod method, List<?> params, Deadline deadline) {
        try {
            return Optional.of(send(method, "/", params, deadline));
        } catch (RpcException e) {
            if (e.failure().code() == RpcCodes.NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private JsonNode send(RpcMethod method, String path, List<?> params, Deadline deadline) {
        return caller.send(caller.call(method, path, params), deadline, cancel);
    }

    private static JsonNode array(RpcMethod method, JsonNode answer) {
        if (!answer.isArray()) {
            throw JsonRpcCodec.protocol(method, "answer is not an array");
        }
        return answer;
    }

    /** Encodes a wallet name as one path segment; everything but unreserved characters is escaped. */
    static String path(String wallet) {
        String encoded = URLEncoder.encode(wallet, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A")
                .replace("%7E", "~");
        return "/wallet/" + encoded;
    }
}
