package org.prismpool.templates.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.CancelSource;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.chain.Hash256;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link NodeRpc} over HTTP, with kept-alive connections of its own.
 *
 * <p>A call runs on the thread that makes it. Owns two kinds of daemon threads: {@code prism-templates-rpc-deadline} ends
 * calls at their deadline, {@code prism-templates-resolve-N} looks the host name up. {@link #close} ends calls under way
 * and these threads. Views made by {@link #cancelledBy} share connections and threads and need no closing.
 */
public final class HttpNodeRpc implements NodeRpc, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(HttpNodeRpc.class);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

    private final RpcCaller caller;
    private final RpcTransport transport;
    private final CancelSignal cancel;
    private final CancelSource closing;

    private HttpNodeRpc(RpcCaller caller, RpcTransport transport, CancelSignal cancel, CancelSource closing) {
        this.caller = caller;
        this.transport = transport;
        this.cancel = cancel;
        this.closing = closing;
    }

    /**
     * Creates a client; connections are made when calls need them.
     *
     * @param endpoint the node
     * @return the client, to be closed
     */
    public static HttpNodeRpc to(RpcEndpoint endpoint) {
        return to(endpoint, RpcMetrics.NONE);
    }

    /**
     * Creates a client whose calls are counted.
     *
     * @param endpoint where the node answers
     * @param metrics told of every call
     * @return the client; closed by its owner
     */
    public static HttpNodeRpc to(RpcEndpoint endpoint, RpcMetrics metrics) {
        return over(endpoint, new HostResolver(endpoint.host()), metrics);
    }

    static HttpNodeRpc over(RpcEndpoint endpoint, HostResolver resolver, RpcMetrics metrics) {
        CancelSource closing = new CancelSource();
        RpcTransport transport = new RpcTransport(endpoint, resolver);
        return new HttpNodeRpc(new RpcCaller(endpoint, transport, metrics), transport, closing, closing);
    }

    @Override
    public HttpNodeRpc cancelledBy(CancelSignal signal) {
        return new HttpNodeRpc(caller, transport, new EitherSignal(closing, signal), closing);
    }

    /**
     * Returns the settlement side of the same node.
     *
     * @return a view that shares connections and threads and needs no closing
     */
    public WalletRpc wallet() {
        return new HttpWalletRpc(caller, cancel);
    }

    @Override
    public JsonNode getBlockTemplate(List<String> rules, Deadline deadline) {
        RpcMethod method = RpcMethod.GET_BLOCK_TEMPLATE;
        return RpcAnswers.object(method, read(method, List.of(Map.of("rules", rules)), deadline));
    }

    @Override
    public Hash256 getBestBlockHash(Deadline deadline) {
        RpcMethod method = RpcMethod.GET_BEST_BLOCK_HASH;
        return RpcAnswers.hash(method, read(method, List.of(), deadline));
    }

    @Override
    public Optional<Hash256> waitForNewBlock(Duration wait, Hash256 known, Deadline deadline) {
        RpcMethod method = RpcMethod.WAIT_FOR_NEW_BLOCK;
        List<?> params = List.of(Math.max(1, wait.toMillis()), known.displayHex());
        JsonNode answer = caller.send(caller.waiting(wait, params), deadline, cancel);
        JsonNode hash = RpcAnswers.object(method, answer).path("hash");
        return hash.isTextual() ? Optional.of(RpcAnswers.hash(method, hash)) : Optional.empty();
    }

    @Override
    public long getBlockCount(Deadline deadline) {
        RpcMethod method = RpcMethod.GET_BLOCK_COUNT;
        return RpcAnswers.integer(method, read(method, List.of(), deadline));
    }

    @Override
    public Hash256 getBlockHash(long height, Deadline deadline) {
        RpcMethod method = RpcMethod.GET_BLOCK_HASH;
        return RpcAnswers.hash(method, read(method, List.of(height), deadline));
    }

    @Override
    public Optional<BlockPlace> getBlockHeader(Hash256 hash, Deadline deadline) {
        RpcMethod method = RpcMethod.GET_BLOCK_HEADER;
        JsonNode header;
        try {
            header = RpcAnswers.object(method, read(method, List.of(hash.displayHex()), deadline));
        } catch (RpcException e) {
            if (e.failure().code() == RpcCodes.NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
        if (!header.path("height").isIntegralNumber()
                || !header.path("confirmations").isIntegralNumber()) {
            return Optional.empty();
        }
        return Optional.of(new BlockPlace(
                header.get("height").longValue(), header.get("confirmations").longValue()));
    }

    @Override
    public Optional<Hash256> getBlockParent(Hash256 hash, Deadline deadline) {
        RpcMethod method = RpcMethod.GET_BLOCK;
        JsonNode block = RpcAnswers.object(method, read(method, List.of(hash.displayHex()), deadline));
        JsonNode parent = block.path("previousblockhash");
        return parent.isTextual() ? Optional.of(RpcAnswers.hash(method, parent)) : Optional.empty();
    }

    @Override
    public ChainInfo getBlockchainInfo(Deadline deadline) {
        return chainInfo(deadline, height -> RpcAnswers.optionalInteger(RpcMethod.GET_BLOCKCHAIN_INFO, height));
    }

    @Override
    public ChainInfo getShownBlockchainInfo(Deadline deadline) {
        return chainInfo(deadline, RpcAnswers::integerOrNone);
    }

    private ChainInfo chainInfo(Deadline deadline, Function<JsonNode, OptionalLong> height) {
        RpcMethod method = RpcMethod.GET_BLOCKCHAIN_INFO;
        JsonNode info = RpcAnswers.object(method, read(method, List.of(), deadline));
        JsonNode download = info.path("initialblockdownload");
        JsonNode best = info.path("bestblockhash");
        JsonNode bits = info.path("bits");
        return new ChainInfo(
                info.path("chain").asText(""),
                download.isBoolean() ? Optional.of(download.booleanValue()) : Optional.empty(),
                height.apply(info.path("blocks")),
                height.apply(info.path("headers")),
                best.isTextual() ? Optional.of(RpcAnswers.hash(method, best)) : Optional.empty(),
                bits.isTextual() ? Optional.of(bits.textValue()) : Optional.empty());
    }

    @Override
    public long getConnections(Deadline deadline) {
        RpcMethod method = RpcMethod.GET_NETWORK_INFO;
        JsonNode info = RpcAnswers.object(method, read(method, List.of(), deadline));
        return RpcAnswers.integer(method, info.path("connections"));
    }

    @Override
    public FeeFloors getFeeFloors(Deadline deadline) {
        RpcMethod method = RpcMethod.GET_MEMPOOL_INFO;
        JsonNode info = RpcAnswers.object(method, read(method, List.of(), deadline));
        return new FeeFloors(
                RpcAnswers.decimal(info.path("minrelaytxfee")), RpcAnswers.decimal(info.path("mempoolminfee")));
    }

    @Override
    public FeeEstimate estimateSmartFee(int targetBlocks, Deadline deadline) {
        RpcMethod method = RpcMethod.ESTIMATE_SMART_FEE;
        JsonNode estimate = RpcAnswers.object(method, read(method, List.of(targetBlocks), deadline));
        List<String> errors = new ArrayList<>();
        estimate.path("errors").forEach(error -> errors.add(error.asText()));
        return new FeeEstimate(
                RpcAnswers.decimal(estimate.path("feerate")).filter(rate -> rate.signum() > 0 && errors.isEmpty()),
                errors);
    }

    @Override
    public Optional<String> validateAddress(String address, Deadline deadline) {
        RpcMethod method = RpcMethod.VALIDATE_ADDRESS;
        JsonNode verdict = RpcAnswers.object(method, read(method, List.of(address), deadline));
        if (!verdict.path("isvalid").isBoolean()) {
            throw JsonRpcCodec.protocol(method, "verdict is missing");
        }
        if (!verdict.get("isvalid").booleanValue()) {
            return Optional.empty();
        }
        return Optional.of(RpcAnswers.text(method, verdict.path("scriptPubKey")));
    }

    @Override
    public Optional<String> submitBlock(String blockHex, Deadline deadline) {
        JsonNode answer = caller.send(caller.submit(blockHex), deadline, cancel);
        if (answer.isNull()) {
            return Optional.empty();
        }
        return Optional.of(RpcAnswers.text(RpcMethod.SUBMIT_BLOCK, answer));
    }

    private JsonNode read(RpcMethod method, List<?> params, Deadline deadline) {
        return caller.send(caller.call(method, "/", params), deadline, cancel);
    }

    /** Cancels calls under way and ends the client's threads, at most two seconds long. */
    @Override
    public void close() {
        closing.cancel("node client closed");
        transport.close();
        try {
            if (!transport.awaitEnd(CLOSE_LIMIT.toNanos())) {
                log.warn("node client closed before its deadline thread has ended");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
