package org.prismpool.templates;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.rpc.BlockPlace;
import org.prismpool.templates.rpc.ChainInfo;
import org.prismpool.templates.rpc.FeeEstimate;
import org.prismpool.templates.rpc.FeeFloors;
import org.prismpool.templates.rpc.NodeRpc;
import org.prismpool.templates.rpc.RpcException;
import org.prismpool.templates.rpc.RpcFailure;
import org.prismpool.templates.rpc.RpcMethod;

/** A node in memory whose answers a test sets. Thread-safe: every member is guarded by this object's monitor. */
public class FakeNode implements NodeRpc {

    /** An answer to a block submission. */
    @FunctionalInterface
    public interface SubmitAnswer {
        Optional<String> answer(String blockHex);
    }

    public static final RpcFailure LOST = new RpcFailure.TimedOut("deadline passed");
    public static final RpcFailure DOWN = new RpcFailure.NotSent("connection refused");

    private final Map<Hash256, Hash256> parents = new ConcurrentHashMap<>();

    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final Queue<SubmitAnswer> submitAnswers = new ArrayDeque<>();
    private final Map<RpcMethod, RpcFailure> failures = new HashMap<>();
    private final Map<Hash256, BlockPlace> places = new HashMap<>();
    private Queue<JsonNode> templates = new ArrayDeque<>();
    private Queue<Hash256> tips = new ArrayDeque<>();
    private ChainInfo info = new ChainInfo(
            "regtest", Optional.of(false), OptionalLong.of(1), OptionalLong.of(1), Optional.empty(), Optional.empty());
    private long peers = 1;
    private Hash256 genesis = Hash256.ZERO;
    private FeeFloors floors = new FeeFloors(Optional.empty(), Optional.empty());

    public static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Sets templates to give in order; the last one stays. */
    public synchronized FakeNode templates(JsonNode... answers) {
        templates = new ArrayDeque<>(List.of(answers));
        return this;
    }

    /** Sets tips to give in order; the last one stays. */
    public synchronized FakeNode tips(Hash256... answers) {
        tips = new ArrayDeque<>(List.of(answers));
        return this;
    }

    public synchronized FakeNode fails(RpcMethod method, RpcFailure failure) {
        failures.put(method, failure);
        return this;
    }

    public synchronized FakeNode works(RpcMethod method) {
        failures.remove(method);
        return this;
    }

    public synchronized FakeNode place(Hash256 hash, long height, long confirmations) {
        places.put(hash, new BlockPlace(height, confirmations));
        return this;
    }

    public FakeNode parent(Hash256 hash, Hash256 parent) {
        parents.put(hash, parent);
        return this;
    }

    public synchronized FakeNode submitAnswer(SubmitAnswer answer) {
        submitAnswers.add(answer);
        return this;
    }

    public FakeNode submitAnswers(String... answers) {
        for (String answer : answers) {
            submitAnswer(block -> "null".equals(answer) ? Optional.empty() : Optional.of(answer));
        }
        return this;
    }

    public synchronized FakeNode chainInfo(ChainInfo answer) {
        info = answer;
        return this;
    }

    public synchronized FakeNode peers(long answer) {
        peers = answer;
        return this;
    }

    public synchronized FakeNode genesis(Hash256 answer) {
        genesis = answer;
        return this;
    }

    public synchronized FakeNode floors(FeeFloors answer) {
        floors = answer;
        return this;
    }

    /** Returns the names of the calls so far. */
    public List<String> calls() {
        return List.copyOf(calls);
    }

    public long count(RpcMethod method) {
        return calls.stream().filter(method.wireName()::equals).count();
    }

    private synchronized void call(RpcMethod method) {
        calls.add(method.wireName());
        RpcFailure failure = failures.get(method);
        if (failure != null) {
            throw new RpcException(method, failure);
        }
    }

    private static <T> T next(Queue<T> answers) {
        T head = answers.element();
        if (answers.size() > 1) {
            answers.remove();
        }
        return head;
    }

    @Override
    public NodeRpc cancelledBy(CancelSignal cancel) {
        return this;
    }

    @Override
    public JsonNode getBlockTemplate(List<String> rules, Deadline deadline) {
        call(RpcMethod.GET_BLOCK_TEMPLATE);
        synchronized (this) {
            return next(templates);
        }
    }

    @Override
    public Hash256 getBestBlockHash(Deadline deadline) {
        call(RpcMethod.GET_BEST_BLOCK_HASH);
        synchronized (this) {
            return next(tips);
        }
    }

    @Override
    public Optional<Hash256> waitForNewBlock(Duration wait, Hash256 known, Deadline deadline) {
        call(RpcMethod.WAIT_FOR_NEW_BLOCK);
        return Optional.empty();
    }

    @Override
    public long getBlockCount(Deadline deadline) {
        call(RpcMethod.GET_BLOCK_COUNT);
        return 1;
    }

    @Override
    public synchronized Hash256 getBlockHash(long height, Deadline deadline) {
        call(RpcMethod.GET_BLOCK_HASH);
        return genesis;
    }

    @Override
    public synchronized Optional<BlockPlace> getBlockHeader(Hash256 hash, Deadline deadline) {
        call(RpcMethod.GET_BLOCK_HEADER);
        return Optional.ofNullable(places.get(hash));
    }

    @Override
    public Optional<Hash256> getBlockParent(Hash256 hash, Deadline deadline) {
        call(RpcMethod.GET_BLOCK);
        return Optional.ofNullable(parents.get(hash));
    }

    @Override
    public synchronized ChainInfo getBlockchainInfo(Deadline deadline) {
        call(RpcMethod.GET_BLOCKCHAIN_INFO);
        return info;
    }

    @Override
    public synchronized long getConnections(Deadline deadline) {
        call(RpcMethod.GET_NETWORK_INFO);
        return peers;
    }

    @Override
    public synchronized FeeFloors getFeeFloors(Deadline deadline) {
        call(RpcMethod.GET_MEMPOOL_INFO);
        return floors;
    }

    @Override
    public FeeEstimate estimateSmartFee(int targetBlocks, Deadline deadline) {
        call(RpcMethod.ESTIMATE_SMART_FEE);
        return new FeeEstimate(Optional.empty(), List.of());
    }

    @Override
    public Optional<String> validateAddress(String address, Deadline deadline) {
        call(RpcMethod.VALIDATE_ADDRESS);
        return Optional.empty();
    }

    @Override
    public Optional<String> submitBlock(String blockHex, Deadline deadline) {
        call(RpcMethod.SUBMIT_BLOCK);
        SubmitAnswer answer;
        synchronized (this) {
            answer = next(submitAnswers);
        }
        return answer.answer(blockHex);
    }
}
