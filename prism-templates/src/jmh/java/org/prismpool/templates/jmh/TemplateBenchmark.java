package org.prismpool.templates.jmh;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.TemplateMetrics;
import org.prismpool.templates.TemplateOutcome;
import org.prismpool.templates.TemplateRepository;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.rpc.NodeRpc;

/** What a template costs from the node's answer to the stored observation. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class TemplateBenchmark {

    /** Transactions of the template. */
    @Param({"5000"})
    public int transactions;

    private final MonotonicClock clock = MonotonicClock.system();
    private final ObjectMapper mapper = new ObjectMapper();
    private byte[] text;
    private ObjectNode json;
    private TemplateRepository repository;
    private long value = 21_000_000_000L;
    private long curtime = 1_738_713_662L;

    /**
     * Builds the template and a node that gives it.
     *
     * @throws IOException never, for text of our own
     */
    @Setup
    public void build() throws IOException {
        String parent = Network.REGTEST.genesisHash().displayHex();
        text = BenchmarkTemplates.json(transactions, parent, curtime).getBytes(StandardCharsets.UTF_8);
        json = (ObjectNode) mapper.readTree(text);
        NodeRpc node = (NodeRpc) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {NodeRpc.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "cancelledBy" -> proxy;
                    case "getBlockTemplate" -> json;
                    default -> Network.REGTEST.genesisHash();
                });
        repository = new TemplateRepository(
                new TemplateRepository.Config(Network.REGTEST, Duration.ofSeconds(2), 0),
                node,
                clock,
                TemplateMetrics.NONE);
    }

    /**
     * Stores a template with another fingerprint: every transaction is parsed and hashed.
     *
     * @return the outcome
     */
    @Benchmark
    public TemplateOutcome newTemplate() {
        json.put("coinbasevalue", ++value);
        return repository.fetch(Deadline.unbounded(clock, "benchmark"), CancelSignal.never());
    }

    /**
     * Stores a template that differs in its clock only.
     *
     * @return the outcome
     */
    @Benchmark
    public TemplateOutcome clockOnly() {
        json.put("curtime", ++curtime);
        return repository.fetch(Deadline.unbounded(clock, "benchmark"), CancelSignal.never());
    }

    /**
     * Parses the node's answer, for scale.
     *
     * @return the tree
     * @throws IOException never, for text of our own
     */
    @Benchmark
    public JsonNode parseJson() throws IOException {
        return mapper.readTree(text);
    }
}
