package org.prismpool.app.devnode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.prismpool.app.devnode.fault.CallPoint;
import org.prismpool.app.devnode.fault.CallRecord;
import org.prismpool.app.devnode.fault.Fault;
import org.prismpool.app.devnode.fault.Gate;

class DevNodeHttpIT {

    private final DevNode node = DevNode.start(DevNodeConfig.forTests());
    private final DevNodeHttp http = DevNodeHttp.start(
            DevNodeHttpConfig.onLoopback(HttpClientForTests.USER, HttpClientForTests.PASSWORD)
                    .withControlEnabled(true),
            node);
    private final HttpClientForTests client = new HttpClientForTests(http.url());

    @AfterEach
    void close() {
        http.close();
        node.close();
    }

    @Test
    void aTemplateIsServedAndItsSolvedBlockTaken() throws Exception {
        JsonNode template = client.call(request("getblocktemplate", "[{\"rules\":[\"segwit\"]}]"));

        assertThat(template.path("error").isNull()).isTrue();
        assertThat(template.path("id").asInt()).isEqualTo(7);
        assertThat(template.path("result").path("height").asInt()).isEqualTo(1);
        assertThat(template.path("result").path("coinbasevalue").asLong()).isEqualTo(21_000_000_000L);

        JsonNode accepted = client.call(request("submitblock", "[\"" + new ExampleBlock().hex() + "\"]"));
        assertThat(accepted.has("result")).isTrue();
        assertThat(accepted.path("result").isNull()).isTrue();
        assertThat(client.call(request("getblockcount", "[]")).path("result").asInt())
                .isEqualTo(1);
    }

    @Test
    void oldStyleErrorsDecideTheHttpStatus() throws Exception {
        assertThat(client.post("", request("getblockhash", "[99]")).statusCode())
                .isEqualTo(500);
        assertThat(client.post("", request("nosuchmethod", "[]")).statusCode()).isEqualTo(404);
        assertThat(client.post("", "{\"id\":1,\"params\":[]}").statusCode()).isEqualTo(400);
        assertThat(client.post("", "{not json").statusCode()).isEqualTo(500);

        JsonNode error = client.call(request("getblockhash", "[99]"));
        assertThat(error.path("error").path("code").asInt()).isEqualTo(-8);
        assertThat(error.path("error").path("message").asText()).isEqualTo("Block height out of range");
        assertThat(error.has("result")).isTrue();
        assertThat(client.call("{not json").path("error").path("code").asInt()).isEqualTo(-32700);
    }

    @Test
    void version2AnswersAlwaysHaveStatus200AndOneOfResultAndError() throws Exception {
        String failing = "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"nosuchmethod\"}";

        HttpResponse<String> response = client.post("", failing);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(client.call(failing).has("result")).isFalse();
        assertThat(client.call(failing).path("id").asText()).isEqualTo("x");
        String working = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"getblockcount\"}";
        assertThat(client.call(working).has("error")).isFalse();
        String notification = "{\"jsonrpc\":\"2.0\",\"method\":\"getblockcount\"}";
        assertThat(client.post("", notification).statusCode()).isEqualTo(204);
    }

    @Test
    void wrongCredentialsGetAnEmpty401() throws Exception {
        HttpResponse<String> response = client.postWithPassword("wrong", request("getblockcount", "[]"));

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.body()).isEmpty();
        assertThat(response.headers().firstValue("WWW-Authenticate")).contains("Basic realm=\"jsonrpc\"");
    }

    @Test
    void otherMethodsAndPathsAreRefusedAndTheWalletPathIsTaken() throws Exception {
        assertThat(client.get().statusCode()).isEqualTo(405);
        assertThat(client.post("nowhere", request("getblockcount", "[]")).statusCode())
                .isEqualTo(404);
        HttpResponse<String> wallet = client.post("wallet/pool%20one", request("getnewaddress", "[]"));
        assertThat(wallet.statusCode()).isEqualTo(200);
        assertThat(wallet.body()).contains("qbrt1z");
    }

    @Test
    void batchesAndNamedParametersAreUnderstood() throws Exception {
        String batch = "[" + request("getblockcount", "[]") + "," + request("nosuchmethod", "[]") + ","
                + "{\"id\":3,\"method\":\"getblockhash\",\"params\":{\"height\":0}}]";

        JsonNode answers = client.call(batch);

        assertThat(answers).hasSize(3);
        assertThat(answers.get(0).path("result").asInt()).isZero();
        assertThat(answers.get(1).path("error").path("code").asInt()).isEqualTo(-32601);
        assertThat(answers.get(2).path("result").asText())
                .isEqualTo("0ee96aa77c4b600850e349344fa21b107e805f5370ddc7a6189db12cf69acce6");
    }

    @Test
    void aWaitWithAnOldTipReturnsAtOnceAndWithThePresentTipAtTheTimeout() throws Exception {
        String old = "22".repeat(32);
        String tip = node.control().tip().hash().displayHex();
        client.call(request("getblockcount", "[]"));

        long start = System.nanoTime();
        JsonNode atOnce = client.call(request("waitfornewblock", "[5000,\"" + old + "\"]"));
        Duration quick = Duration.ofNanos(System.nanoTime() - start);
        start = System.nanoTime();
        JsonNode timedOut = client.call(request("waitfornewblock", "[300,\"" + tip + "\"]"));
        Duration slow = Duration.ofNanos(System.nanoTime() - start);

        assertThat(atOnce.path("result").path("hash").asText()).isEqualTo(tip);
        assertThat(quick).isLessThan(Duration.ofMillis(4500));
        assertThat(timedOut.path("result").path("hash").asText()).isEqualTo(tip);
        assertThat(slow).isGreaterThanOrEqualTo(Duration.ofMillis(299));
    }

    @Test
    void twoHundredWaitingCallsStarveNobody() throws Exception {
        String tip = node.control().tip().hash().displayHex();
        List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            waiting.add(client.postLater(request("waitfornewblock", "[15000,\"" + tip + "\"]")));
        }

        assertThat(client.call(request("getblockcount", "[]")).path("result").asInt())
                .isZero();
        String mined = node.control().mine(1).get(0).displayHex();

        for (CompletableFuture<HttpResponse<String>> call : waiting) {
            assertThat(call.get(10, TimeUnit.SECONDS).body()).contains(mined);
        }
    }

    @Test
    void aDroppedAnswerLosesTheAcknowledgementButNotTheBlock() {
        node.faults().add("submitblock", new Fault.Drop(CallPoint.AFTER_PROCESSING), 1);

        assertThatThrownBy(() -> client.call(request("submitblock", "[\"" + new ExampleBlock().hex() + "\"]")))
                .isInstanceOf(IOException.class);

        assertThat(node.control().tip().height()).isEqualTo(1);
        assertThat(node.recorder().calls("submitblock"))
                .extracting(call -> call.outcome().orElse("running"))
                .containsExactly("drop");
    }

    @Test
    void aDroppedRequestDoesNothing() {
        node.faults().add("submit*", new Fault.Drop(CallPoint.BEFORE_PROCESSING), 1);

        assertThatThrownBy(() -> client.call(request("submitblock", "[\"" + new ExampleBlock().hex() + "\"]")))
                .isInstanceOf(IOException.class);

        assertThat(node.control().tip().height()).isZero();
    }

    @Test
    void aRawAnswerNeedNotBeJson() throws Exception {
        node.faults().add("*", new Fault.RawAnswer(503, "text/plain", "Work queue depth exceeded"), 2);

        HttpResponse<String> first = client.post("", request("getblockcount", "[]"));
        HttpResponse<String> second = client.post("", request("getblockhash", "[0]"));
        HttpResponse<String> third = client.post("", request("getblockcount", "[]"));

        assertThat(first.statusCode()).isEqualTo(503);
        assertThat(first.body()).isEqualTo("Work queue depth exceeded");
        assertThat(second.statusCode()).isEqualTo(503);
        assertThat(third.statusCode()).isEqualTo(200);
    }

    @Test
    void aHangSendsNothingOrOnlyHeaders() throws Exception {
        node.faults().add("getblockcount", new Fault.Hang(false), 1);
        try (Socket socket = rawCall()) {
            assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        }

        node.faults().add("getblockcount", new Fault.Hang(true), 1);
        try (Socket socket = rawCall()) {
            String seen = readUntilSilence(socket.getInputStream());
            assertThat(seen).startsWith("HTTP/1.1 200").endsWith("\r\n\r\n");
        }
    }

    @Test
    void aDrippedAnswerComesByteByByte() throws Exception {
        node.faults().add("getblockcount", new Fault.Drip(Duration.ofMillis(10)), 1);

        long start = System.nanoTime();
        String body = client.post("", request("getblockcount", "[]")).body();
        Duration taken = Duration.ofNanos(System.nanoTime() - start);

        assertThat(new ObjectMapper().readTree(body).path("result").asInt()).isZero();
        assertThat(taken).isGreaterThan(Duration.ofMillis(10L * (body.length() - 1)));
    }

    @Test
    void aGateHoldsTheCallUntilItIsReleased() throws Exception {
        Gate gate = node.faults().hold("getbestblockhash");
        CompletableFuture<HttpResponse<String>> held = client.postLater(request("getbestblockhash", "[]"));

        assertThat(gate.awaitArrivals(1, Duration.ofSeconds(5))).isTrue();
        assertThat(held).isNotDone();
        String mined = node.control().mine(1).get(0).displayHex();
        gate.release();

        assertThat(held.get(20, TimeUnit.SECONDS).body()).contains(mined);
    }

    @Test
    void aStoppedListenerRefusesConnectionsAndComesBackOnTheSamePort() throws Exception {
        client.call(request("getblockcount", "[]"));
        int port = http.port();

        http.refuseConnections();
        assertThatThrownBy(() -> client.call(request("getblockcount", "[]"))).isInstanceOf(ConnectException.class);
        http.acceptConnections();

        assertThat(http.port()).isEqualTo(port);
        assertThat(client.call(request("getblockcount", "[]")).path("result").asInt())
                .isZero();
    }

    @Test
    void theControlPathSteersChainFaultsAndRecorder() throws Exception {
        assertThat(control("{\"op\":\"mine\",\"count\":2}").path("hashes")).hasSize(2);
        assertThat(control("{\"op\":\"fault\",\"kind\":\"error\",\"method\":\"getblockcount\",\"code\":-28,"
                                + "\"message\":\"Loading\",\"calls\":1}")
                        .path("ok")
                        .asBoolean())
                .isTrue();
        JsonNode warming = client.call(request("getblockcount", "[]"));
        assertThat(warming.path("error").path("code").asInt()).isEqualTo(-28);
        assertThat(client.call(request("getblockcount", "[]")).path("result").asInt())
                .isEqualTo(2);
        assertThat(control("{\"op\":\"calls\"}").path("calls"))
                .extracting(call -> call.path("method").asText() + " "
                        + call.path("outcome").asText())
                .containsExactly("getblockcount error -28", "getblockcount ok");
        assertThat(client.post("control", "{\"op\":\"nonsense\"}").statusCode()).isEqualTo(400);
    }

    @Test
    void theControlPathIsAbsentUnlessEnabled() throws Exception {
        try (DevNodeHttp plain = DevNodeHttp.start(
                DevNodeHttpConfig.onLoopback(HttpClientForTests.USER, HttpClientForTests.PASSWORD), node)) {
            HttpClientForTests outside = new HttpClientForTests(plain.url());

            assertThat(outside.post("control", "{\"op\":\"mine\"}").statusCode())
                    .isEqualTo(404);
            assertThat(node.control().tip().height()).isZero();
        }
    }

    @Test
    void theRecorderKeepsTheOrderOfCalls() throws Exception {
        client.call(request("getblockcount", "[]"));
        client.call(request("getblockhash", "[0]"));

        assertThat(node.recorder().calls())
                .extracting(CallRecord::method)
                .containsExactly("getblockcount", "getblockhash");
        assertThat(node.recorder().calls()).allMatch(call -> call.endNanos().isPresent());
    }

    private JsonNode control(String body) throws IOException, InterruptedException {
        return new ObjectMapper().readTree(client.post("control", body).body());
    }

    private Socket rawCall() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), http.port());
        socket.setSoTimeout(400);
        String pair = HttpClientForTests.USER + ":" + HttpClientForTests.PASSWORD;
        String body = request("getblockcount", "[]");
        String head = "POST / HTTP/1.1\r\nHost: node\r\nAuthorization: Basic "
                + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8))
                + "\r\nContent-Length: " + body.length() + "\r\n\r\n";
        socket.getOutputStream().write((head + body).getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    private static String readUntilSilence(InputStream in) throws IOException {
        StringBuilder seen = new StringBuilder();
        try {
            int next = in.read();
            while (next >= 0) {
                seen.append((char) next);
                next = in.read();
            }
        } catch (SocketTimeoutException e) {
            return seen.toString();
        }
        throw new AssertionError("connection was closed after: " + seen);
    }

    private static String request(String method, String params) {
        return "{\"jsonrpc\":\"1.0\",\"id\":7,\"method\":\"" + method + "\",\"params\":" + params + "}";
    }
}
