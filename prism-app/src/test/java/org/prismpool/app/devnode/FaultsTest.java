package org.prismpool.app.devnode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.prismpool.app.devnode.fault.CallPoint;
import org.prismpool.app.devnode.fault.CallRecord;
import org.prismpool.app.devnode.fault.Fault;
import org.prismpool.app.devnode.fault.FaultPlan;
import org.prismpool.app.devnode.fault.Gate;
import org.prismpool.app.devnode.fault.SubmitScript;
import org.prismpool.app.devnode.rpc.RpcAnswer;

/** Fault injection and the recorder in process (spec 03 §7.5); the transport's part is in {@link DevNodeHttpIT}. */
class FaultsTest {

    private final DevNode node = DevNode.start(DevNodeConfig.forTests());

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void anErrorStrikesTheGivenNumberOfCallsOfTheGivenMethods() {
        node.faults().add("getblock*", new Fault.RpcError(-28, "Loading block index"), 2);

        assertThat(node.call("getbestblockhash").errorCode()).isZero();
        assertThat(node.call("getblockcount")).isEqualTo(new RpcAnswer.Failure(-28, "Loading block index"));
        assertThat(node.call("getblockhash", 0).errorCode()).isEqualTo(-28);
        assertThat(node.call("getblockcount").errorCode()).isZero();
    }

    @Test
    void patternsTakeDotsAndBracketsLiterally() {
        node.faults().add("getblock.ount", new Fault.RpcError(-1, "x"), FaultPlan.UNTIL_CLEARED);

        assertThat(node.call("getblockcount").errorCode()).isZero();
    }

    @Test
    void latencyDelaysTheAnswer() {
        node.faults().add("getblockcount", new Fault.Latency(Duration.ofMillis(80), Duration.ofMillis(120)), 1);

        long start = System.nanoTime();
        node.call("getblockcount");

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(80));
    }

    @Test
    void aGateAfterTheWorkHoldsOnlyTheAnswer() throws Exception {
        Gate gate = new Gate();
        node.faults().add("submitblock", new Fault.Hold(gate, CallPoint.AFTER_PROCESSING), 1);
        CompletableFuture<RpcAnswer> answer = later("submitblock", new ExampleBlock().hex());

        assertThat(gate.awaitArrivals(1, Duration.ofSeconds(5))).isTrue();
        assertThat(node.control().tip().height()).isEqualTo(1);
        assertThat(answer).isNotDone();
        gate.release();

        assertThat(answer.get(20, TimeUnit.SECONDS).result().isNull()).isTrue();
    }

    @Test
    void aGateBeforeTheWorkHoldsTheBlock() throws Exception {
        Gate gate = node.faults().hold("submitblock");
        CompletableFuture<RpcAnswer> answer = later("submitblock", new ExampleBlock().hex());

        assertThat(gate.awaitArrivals(1, Duration.ofSeconds(5))).isTrue();
        assertThat(node.control().tip().height()).isZero();
        gate.release();
        answer.get(20, TimeUnit.SECONDS);

        assertThat(node.control().tip().height()).isEqualTo(1);
    }

    @Test
    void clearingForgetsFaultsAndOpensGates() throws Exception {
        node.faults().hold("getblockcount");
        node.faults().add("getbestblockhash", new Fault.RpcError(-1, "x"), FaultPlan.UNTIL_CLEARED);
        CompletableFuture<RpcAnswer> held = later("getblockcount");

        node.faults().clear();

        assertThat(held.get(20, TimeUnit.SECONDS).result().asInt()).isZero();
        assertThat(node.call("getbestblockhash").errorCode()).isZero();
    }

    @Test
    void lostConnectionsAreExceptionsInProcess() {
        node.faults().add("submitblock", new Fault.Drop(CallPoint.AFTER_PROCESSING), 1);

        assertThatThrownBy(() -> node.call("submitblock", new ExampleBlock().hex()))
                .isInstanceOf(ConnectionLostException.class);
        assertThat(node.control().tip().height()).isEqualTo(1);
    }

    @Test
    void aHungCallEndsWithTheNode() {
        node.faults().add("getblockcount", new Fault.Hang(false), 1);
        CompletableFuture<RpcAnswer> hung = later("getblockcount");
        assertThat(hung).isNotDone();

        node.close();

        assertThat(hung).isCompletedExceptionally();
    }

    @Test
    void scriptedSubmitAnswersAreConsumedInOrderAndTheLastOneStays() {
        node.control()
                .submitScript()
                .set(List.of(
                        new SubmitScript.Answer("rejected", false),
                        new SubmitScript.Answer("duplicate", true),
                        new SubmitScript.Answer("null", false)));

        assertThat(submit().asText()).isEqualTo("rejected");
        assertThat(node.control().tip().height()).isZero();
        assertThat(submit().asText()).isEqualTo("duplicate");
        assertThat(node.control().tip().height()).isEqualTo(1);
        assertThat(submit().isNull()).isTrue();
        assertThat(submit().isNull()).isTrue();
        node.control().submitScript().set(List.of());
        assertThat(submit().asText()).isEqualTo("duplicate");
    }

    @Test
    void templatesCanBeTamperedWith() {
        node.control().tamper().omit("previousblockhash");
        node.control().tamper().replace("versionrollingmask", TextNode.valueOf("00000000"));
        node.control().tamper().replace("bits", TextNode.valueOf("zz"));
        node.control().tamper().replace("curtime", IntNode.valueOf(1));

        JsonNode template = template();

        assertThat(template.has("previousblockhash")).isFalse();
        assertThat(template.path("versionrollingmask").asText()).isEqualTo("00000000");
        assertThat(template.path("bits").asText()).isEqualTo("zz");
        assertThat(template.path("curtime").asInt()).isEqualTo(1);
        node.control().tamper().clear();
        assertThat(template().has("previousblockhash")).isTrue();
    }

    @Test
    void aFrozenTemplateDisagreesWithTheNewTip() {
        String old = node.control().tip().hash().displayHex();
        node.control().tamper().freeze();
        template();
        node.control().mine(1);

        assertThat(template().path("previousblockhash").asText()).isEqualTo(old);
        assertThat(node.call("getbestblockhash").result().asText()).isNotEqualTo(old);
        node.control().tamper().clear();
        assertThat(template().path("previousblockhash").asText())
                .isEqualTo(node.call("getbestblockhash").result().asText());
    }

    @Test
    void theRecorderTellsOrderParametersAndOutcomes() {
        node.call("getblockhash", 0);
        node.call("getblockhash", 0);
        node.call("getblockhash", 1);

        List<CallRecord> calls = node.recorder().calls("getblockhash");

        assertThat(calls).extracting(CallRecord::sequence).containsExactly(1L, 2L, 3L);
        assertThat(calls.get(0).paramsSha256())
                .isEqualTo(calls.get(1).paramsSha256())
                .isNotEqualTo(calls.get(2).paramsSha256());
        assertThat(calls).extracting(call -> call.outcome().orElse("")).containsExactly("ok", "ok", "error -8");
        assertThat(calls.get(0).endNanos().orElseThrow())
                .isLessThanOrEqualTo(calls.get(1).startNanos());
        node.recorder().clear();
        assertThat(node.recorder().calls()).isEmpty();
    }

    private JsonNode submit() {
        return node.call("submitblock", new ExampleBlock().hex()).result();
    }

    private JsonNode template() {
        return node.call("getblocktemplate", Map.of("rules", List.of("segwit"))).result();
    }

    private CompletableFuture<RpcAnswer> later(String method, String... params) {
        var array = JsonNodeFactory.instance.arrayNode();
        for (String param : params) {
            array.add(param);
        }
        return node.callLater(method, array);
    }
}
