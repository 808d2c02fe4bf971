package org.prismpool.app.devnode;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.prismpool.app.devnode.rpc.RpcAnswer;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.Transaction;

/** Calls that wait: for a block, a height, another template, the end of the node. */
class WaitingCallsTest {

    private static final String PLAIN_TX =
            "020000000122222222222222222222222222222222222222222222222222222222222222220000000003222222ffffffff01e803000000"
                    + "000000225220222222222222222222222222222222222222222222222222222222222222222200000000";

    private final DevNode node = DevNode.start(DevNodeConfig.forTests());

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void anotherKnownTipIsAnsweredAtOnce() {
        node.control().mine(1);

        CompletableFuture<RpcAnswer> answer =
                later("waitfornewblock", 60_000, Network.REGTEST.genesisHash().displayHex());

        assertThat(answer).isCompleted();
        assertThat(answer.join().result().path("height").asInt()).isEqualTo(1);
    }

    @Test
    void withoutAKnownTipThePresentOneIsMeant() throws Exception {
        CompletableFuture<RpcAnswer> answer = later("waitfornewblock", 60_000);
        assertThat(answer).isNotDone();

        Hash256 mined = node.control().mine(1).get(0);

        assertThat(answer.get(20, TimeUnit.SECONDS).result().path("hash").asText())
                .isEqualTo(mined.displayHex());
    }

    @Test
    void theTimeoutAnswersWithTheSameTip() {
        String tip = node.control().tip().hash().displayHex();

        long start = System.nanoTime();
        JsonNode answer = node.call("waitfornewblock", 120, tip).result();

        assertThat(answer.path("hash").asText()).isEqualTo(tip);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(119));
    }

    @Test
    void aNegativeTimeoutIsAnError() {
        assertThat(node.call("waitfornewblock", -1)).isEqualTo(new RpcAnswer.Failure(-1, "Negative timeout"));
    }

    @Test
    void aReorganisationWakesWaitersOnceWithItsFinalTip() throws Exception {
        Hash256 old = node.control().mine(1).get(0);
        CompletableFuture<RpcAnswer> waiting = later("waitfornewblock", 60_000, old.displayHex());
        List<Hash256> side = node.control().mineFork(Network.REGTEST.genesisHash(), 1);
        assertThat(waiting).isNotDone();

        Hash256 winner = node.control().mineFork(side.get(0), 1).get(0);

        assertThat(waiting.get(20, TimeUnit.SECONDS).result().path("hash").asText())
                .isEqualTo(winner.displayHex());
        CompletableFuture<RpcAnswer> again = later("waitfornewblock", 60_000, winner.displayHex());
        assertThat(again).isNotDone();
    }

    @Test
    void aChangeOfTheMempoolDoesNotWakeWaitersForABlock() {
        CompletableFuture<RpcAnswer> waiting = later("waitfornewblock", 60_000);

        node.control().addTransaction(Transaction.parseHex(PLAIN_TX), 1);

        assertThat(waiting).isNotDone();
    }

    @Test
    void heightsAndHashesCanBeWaitedFor() throws Exception {
        CompletableFuture<RpcAnswer> height = later("waitforblockheight", 2, 60_000);
        node.control().mine(1);
        assertThat(height).isNotDone();
        Hash256 second = node.control().mine(1).get(0);

        assertThat(height.get(20, TimeUnit.SECONDS).result().path("height").asInt())
                .isEqualTo(2);
        assertThat(later("waitforblock", second.displayHex(), 60_000)).isCompleted();
    }

    @Test
    void aLongPollEndsWithTheMempoolOrTheTip() throws Exception {
        JsonNode first = template(Map.of("rules", List.of("segwit")));
        Map<String, Object> poll = Map.of(
                "rules",
                List.of("segwit"),
                "longpollid",
                first.path("longpollid").asText());
        CompletableFuture<RpcAnswer> waiting = later("getblocktemplate", poll);
        assertThat(waiting).isNotDone();

        node.control().addTransaction(Transaction.parseHex(PLAIN_TX), 1);

        assertThat(waiting.get(20, TimeUnit.SECONDS).result().path("transactions"))
                .hasSize(1);
        assertThat(later("getblocktemplate", poll)).isCompleted();
    }

    @Test
    void theEndOfTheNodeWakesEveryone() throws Exception {
        List<CompletableFuture<RpcAnswer>> waiting = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            waiting.add(later("waitfornewblock", 0));
        }

        node.close();

        for (CompletableFuture<RpcAnswer> answer : waiting) {
            assertThat(answer.get(20, TimeUnit.SECONDS).errorCode()).isZero();
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("prism-devnode-timer"));
    }

    private JsonNode template(Map<String, Object> request) {
        return node.call("getblocktemplate", request).result();
    }

    private CompletableFuture<RpcAnswer> later(String method, Object... params) {
        ArrayNode array = new ObjectMapper().createArrayNode();
        for (Object param : params) {
            array.add(new ObjectMapper().<JsonNode>valueToTree(param));
        }
        return node.callLater(method, array);
    }
}
