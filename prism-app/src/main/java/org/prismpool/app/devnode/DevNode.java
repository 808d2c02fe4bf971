package org.prismpool.app.devnode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.prismpool.app.devnode.fault.CallRecorder;
import org.prismpool.app.devnode.fault.FaultPlan;
import org.prismpool.app.devnode.fault.ShownView;
import org.prismpool.app.devnode.fault.SubmitScript;
import org.prismpool.app.devnode.fault.TemplateTamper;
import org.prismpool.app.devnode.mining.BlockFactory;
import org.prismpool.app.devnode.rpc.RpcAnswer;
import org.prismpool.app.devnode.rpc.RpcContext;
import org.prismpool.app.devnode.rpc.RpcMethods;
import org.prismpool.app.devnode.state.ChainJournal;
import org.prismpool.app.devnode.state.Chainstate;
import org.prismpool.app.devnode.state.FileJournal;
import org.prismpool.app.devnode.state.NodeClock;
import org.prismpool.app.devnode.state.NodeCore;
import org.prismpool.app.devnode.validation.BlockDecoder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A single-node, regtest-like chain in this process: real block validation, a node's JSON-RPC methods, reorganisations and
 * fault injection (spec 03 §7). Put {@link DevNodeHttp} in front of it to reach it over HTTP.
 *
 * <p>Thread-safe. Calls that wait for a block occupy no thread of the node.
 */
public final class DevNode implements AutoCloseable {

    /** Longest time that {@link #call(String, JsonNode)} waits for an answer. */
    public static final Duration LONGEST_CALL = Duration.ofMinutes(2);

    private static final Logger LOG = LoggerFactory.getLogger(DevNode.class);

    private final ObjectMapper mapper = new ObjectMapper();
    private final NodeThreads threads = new NodeThreads();
    private final Optional<FileJournal> journal;
    private final NodeCore core;
    private final FaultPlan faults = new FaultPlan();
    private final CallRecorder recorder;
    private final CallPipeline pipeline;
    private final DevControl control;
    private final AtomicBoolean closed = new AtomicBoolean();

    private DevNode(DevNodeConfig config, Optional<FileJournal> journal) {
        this.journal = journal;
        ChainJournal written = journal.map(ChainJournal.class::cast).orElseGet(ChainJournal::none);
        Chainstate chain = new Chainstate(config.rules(), new NodeClock(config.wallClock()), written);
        long issued = journal.map(kept -> kept.replay(chain)).orElse(0L);
        this.core = new NodeCore(chain, threads.timer());
        this.recorder = new CallRecorder(config.monotonicClock());
        RpcContext context = new RpcContext(
                core,
                new BlockDecoder(config.rules().network(), config.rejectTrailingBytes()),
                new BlockFactory(core, written, config.rules().network(), issued),
                new ShownView(),
                new SubmitScript(),
                new TemplateTamper(),
                config.templateHoldSeconds(),
                config.monotonicClock(),
                config.monotonicClock().nanoTime(),
                new AtomicLong());
        RpcMethods methods = new RpcMethods(context);
        this.pipeline = new CallPipeline(methods, faults, recorder, threads);
        this.control = new DevControl(context, config.rules().network());
    }

    /**
     * Starts a node. With a data directory the chain continues where the last node on it stopped, however it stopped.
     *
     * @param config its settings
     * @return the running node
     * @throws IllegalStateException when the data directory is in use, broken, or belongs to other chain parameters
     */
    public static DevNode start(DevNodeConfig config) {
        Optional<FileJournal> journal =
                config.dataDirectory().map(directory -> FileJournal.open(directory, config.rules()));
        DevNode node;
        try {
            node = new DevNode(config, journal);
        } catch (RuntimeException e) {
            journal.ifPresent(FileJournal::close);
            throw e;
        }
        if (config.freshBlockAtStart() && node.control.mineIfTipIsOld()) {
            LOG.atInfo()
                    .addKeyValue("height", node.control.tip().height())
                    .log("mined a fresh block, since pools do not trust a tip older than 24 hours");
        }
        return node;
    }

    /**
     * Calls a method and waits for the answer, at most {@link #LONGEST_CALL}.
     *
     * @param method name of an RPC method
     * @param params an array, an object, or a JSON null
     * @return the answer
     * @throws ConnectionLostException when an injected fault leaves the call without an answer
     */
    public RpcAnswer call(String method, JsonNode params) {
        try {
            return callLater(method, params).get(LONGEST_CALL.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw lost("no answer in time", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ConnectionLostException lost) {
                throw lost(String.valueOf(lost.getMessage()), e);
            }
            throw new IllegalStateException("call failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw lost("interrupted", e);
        }
    }

    /**
     * Calls a method with plain values and waits for the answer.
     *
     * @param method name of an RPC method
     * @param params strings, numbers, booleans or JSON trees, by position
     * @return the answer
     * @throws ConnectionLostException when an injected fault leaves the call without an answer
     */
    public RpcAnswer call(String method, Object... params) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        for (Object param : params) {
            array.add(mapper.<JsonNode>valueToTree(param));
        }
        return call(method, (JsonNode) array);
    }

    /**
     * Calls a method without waiting.
     *
     * @param method name of an RPC method
     * @param params an array, an object, or a JSON null
     * @return the answer; completed exceptionally with {@link ConnectionLostException} by an injected fault. An injected
     *     hang is completed when the node closes
     */
    public CompletableFuture<RpcAnswer> callLater(String method, JsonNode params) {
        return exchange(method, params).thenCompose(this::inProcess);
    }

    /**
     * Returns the typed control: mining, reorganisations, mempool, clock, what the node says about itself.
     *
     * @return the control
     */
    public DevControl control() {
        return control;
    }

    /**
     * Returns the faults that wait for calls.
     *
     * @return the plan
     */
    public FaultPlan faults() {
        return faults;
    }

    /**
     * Returns the log of calls.
     *
     * @return the recorder
     */
    public CallRecorder recorder() {
        return recorder;
    }

    /** Opens every gate, answers waiting calls with the present tip, stops the threads and closes the data directory. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        faults.clear();
        core.watch().close();
        threads.close();
        core.locked(chain -> {
            journal.ifPresent(FileJournal::close);
            return chain;
        });
    }

    CompletableFuture<Exchange> exchange(String method, JsonNode params) {
        return pipeline.run(method, params);
    }

    NodeThreads threads() {
        return threads;
    }

    private CompletableFuture<RpcAnswer> inProcess(Exchange exchange) {
        if (exchange instanceof Exchange.Answered answered) {
            return CompletableFuture.completedFuture(answered.answer());
        }
        if (exchange instanceof Exchange.Dripped dripped) {
            return CompletableFuture.completedFuture(dripped.answer());
        }
        if (exchange instanceof Exchange.Hung) {
            return threads.closed().thenCompose(nothing -> failed("connection hung"));
        }
        return failed("connection lost");
    }

    private static CompletableFuture<RpcAnswer> failed(String message) {
        return CompletableFuture.failedFuture(new ConnectionLostException(message));
    }

    private static ConnectionLostException lost(String message, Throwable cause) {
        ConnectionLostException lost = new ConnectionLostException(message);
        lost.initCause(cause);
        return lost;
    }
}
