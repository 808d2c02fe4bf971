package org.prismpool.templates.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.prismpool.lifecycle.time.CancelSource;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.chain.Hash256;

class HttpNodeRpcIT {

    private static final String HASH = "0ee96aa77c4b600850e349344fa21b107e805f5370ddc7a6189db12cf69acce6";
    private static final ScriptedNode.Behaviour TIP =
            (request, connection) -> connection.result(request, "\"" + HASH + "\"");

    private final ScriptedNode node = new ScriptedNode(TIP);
    private final HttpNodeRpc rpc = HttpNodeRpc.to(node.endpoint());

    @AfterEach
    void stop() throws IOException {
        rpc.close();
        node.close();
    }

    private static Deadline within(long millis) {
        return Deadline.after(Duration.ofMillis(millis), MonotonicClock.system(), "test");
    }

    private static RpcFailure failureOf(ThrowingCallable call) {
        return catchThrowableOfType(RpcException.class, call).failure();
    }

    @Test
    void aRequestHasTheDocumentedForm() {
        assertThat(rpc.getBestBlockHash(within(5000))).isEqualTo(Hash256.ofDisplayHex(HASH));
        ScriptedNode.Received request = node.requests().get(0);
        assertThat(request.head()).startsWith("POST / HTTP/1.1");
        assertThat(request.header("Authorization")).isEqualTo("Basic cnBjLXVzZXI6cnBjLXBhc3N3b3Jk");
        assertThat(request.header("Content-Type")).isEqualTo("application/json");
        assertThat(request.header("Accept-Encoding")).isEmpty();
        assertThat(request.body())
                .isEqualTo("{\"jsonrpc\":\"1.0\",\"id\":\"" + request.id()
                        + "\",\"method\":\"getbestblockhash\",\"params\":[]}");
    }

    @Test
    void theTemplateRequestNamesTheRulesOnly() {
        node.behave((request, connection) -> connection.result(request, "{}"));
        rpc.getBlockTemplate(List.of("segwit", "signet"), within(5000));
        assertThat(node.requests().get(0).body()).endsWith("\"params\":[{\"rules\":[\"segwit\",\"signet\"]}]}");
    }

    @Test
    void idsAreUniqueAndConnectionsAreKept() {
        for (int i = 0; i < 5; i++) {
            rpc.getBestBlockHash(within(5000));
        }
        assertThat(node.requests().stream().map(ScriptedNode.Received::id)).doesNotHaveDuplicates();
        assertThat(node.connections()).isEqualTo(1);
    }

    @Test
    void anAnswerToAnotherRequestIsAProtocolFailure() {
        node.behave((request, connection) -> connection.json(200, "{\"result\":1,\"error\":null,\"id\":\"other\"}"));
        assertThat(failureOf(() -> rpc.getBlockCount(within(5000)))).isInstanceOf(RpcFailure.Protocol.class);
    }

    @ParameterizedTest
    @CsvSource({"404, -32601", "400, -32600", "500, -5", "200, -28"})
    void anErrorObjectIsReadWithAnyStatus(int status, int code) {
        node.behave((request, connection) -> connection.error(request, status, code, "text of the node"));
        RpcFailure failure = failureOf(() -> rpc.getBlockCount(within(5000)));
        assertThat(failure).isEqualTo(new RpcFailure.NodeError(code, "text of the node", status));
        assertThat(failure.outcomeUnknown()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"401, Unauthorized", "403, Forbidden", "503, Busy", "413, Protocol", "200, Protocol"})
    void anAnswerWithoutJsonIsClassifiedByItsStatus(int status, String kind) {
        node.behave((request, connection) ->
                connection.raw("HTTP/1.1 " + status + " X\r\nContent-Length: 10\r\n\r\nnot \u0007 json"));
        RpcFailure failure = failureOf(() -> rpc.getBlockCount(within(5000)));
        assertThat(failure.getClass().getSimpleName()).isEqualTo(kind);
        assertThat(failure.message()).doesNotContain("\u0007").doesNotContain("rpc-password");
    }

    @Test
    void anEmptyRefusalNamesItsStatusAndTheLikelySetting() {
        node.behave((request, connection) -> connection.raw("HTTP/1.1 403 X\r\nContent-Length: 0\r\n\r\n"));
        assertThat(failureOf(() -> rpc.getBlockCount(within(5000))))
                .isInstanceOf(RpcFailure.Forbidden.class)
                .extracting(RpcFailure::message)
                .asString()
                .contains("403")
                .contains("allow-list");
        node.behave((request, connection) -> connection.raw("HTTP/1.1 401 X\r\nContent-Length: 0\r\n\r\n"));
        assertThat(failureOf(() -> rpc.getBlockCount(within(5000))).message())
                .contains("401")
                .contains("credentials");
    }

    @Test
    void aMissingErrorMemberIsSuccess() {
        node.behave((request, connection) -> connection.json(200, "{\"result\":42,\"id\":\"" + request.id() + "\"}"));
        assertThat(rpc.getBlockCount(within(5000))).isEqualTo(42);
    }

    @Test
    void aValueOfAnotherTypeIsNeverGuessed() {
        node.behave((request, connection) -> connection.result(request, "\"42\""));
        assertThat(failureOf(() -> rpc.getBlockCount(within(5000)))).isInstanceOf(RpcFailure.Protocol.class);
        assertThat(failureOf(() -> rpc.getBestBlockHash(within(5000)))).isInstanceOf(RpcFailure.Protocol.class);
        assertThat(failureOf(() -> rpc.getBlockTemplate(List.of("segwit"), within(5000))))
                .isInstanceOf(RpcFailure.Protocol.class);
    }

    @Test
    void aReadIsSentOnceMoreAfterABrokenConnection() {
        AtomicInteger calls = new AtomicInteger();
        node.behave((request, connection) -> {
            if (calls.incrementAndGet() == 1) {
                connection.close();
            } else {
                TIP.answer(request, connection);
            }
        });
        assertThat(rpc.getBestBlockHash(within(5000))).isEqualTo(Hash256.ofDisplayHex(HASH));
        assertThat(calls).hasValue(2);
    }

    @Test
    void aReadIsNotSentAThirdTime() {
        node.behave((request, connection) -> connection.close());
        assertThat(failureOf(() -> rpc.getBestBlockHash(within(5000)))).isInstanceOf(RpcFailure.Transport.class);
        assertThat(node.requests()).hasSize(2);
    }

    @Test
    void aBlockSubmissionIsNeverRepeated() {
        node.behave((request, connection) -> connection.close());
        RpcFailure failure = failureOf(() -> rpc.submitBlock("00", within(5000)));
        assertThat(failure).isInstanceOf(RpcFailure.Transport.class);
        assertThat(failure.outcomeUnknown()).isTrue();
        assertThat(node.requests()).hasSize(1);
    }

    @Test
    void otherMutatingCallsAreNeverRepeated() {
        node.behave((request, connection) -> connection.close());
        WalletRpc wallet = rpc.wallet();
        failureOf(() -> wallet.sendRawTransaction("00", within(5000)));
        failureOf(() -> wallet.submitPackage("00", "01", within(5000)));
        failureOf(() -> wallet.getNewAddress("fee wallet/ä", within(5000)));
        failureOf(() -> wallet.sign("w", "00", List.of(), within(5000)));
        assertThat(node.methods())
                .containsExactly(
                        "sendrawtransaction", "submitpackage", "getnewaddress", "signrawtransactionwithwallet");
        assertThat(node.requests().get(2).head()).startsWith("POST /wallet/fee%20wallet%2F%C3%A4 HTTP/1.1");
    }

    @Test
    void submitAnswersAreNullOrText() {
        node.behave((request, connection) -> connection.result(request, "null"));
        assertThat(rpc.submitBlock("00ff", within(5000))).isEmpty();
        assertThat(node.requests().get(0).body()).endsWith("\"params\":[\"00ff\"]}");
        node.behave((request, connection) -> connection.result(request, "\"inconclusive\""));
        assertThat(rpc.submitBlock("00ff", within(5000))).contains("inconclusive");
    }

    @Test
    void aNodeThatNeverAnswersEndsTheCallAtItsDeadline() {
        CountDownLatch held = new CountDownLatch(1);
        node.behave(ScriptedNode.holdUntil(held));
        long start = System.nanoTime();
        RpcFailure failure = failureOf(() -> rpc.submitBlock("00", within(300)));
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(Duration.ofMillis(290), Duration.ofSeconds(20));
        assertThat(failure).isInstanceOf(RpcFailure.TimedOut.class);
        assertThat(failure.outcomeUnknown()).isTrue();
        held.countDown();
    }

    @Test
    void aNodeThatDripsItsAnswerEndsTheCallAtItsDeadline() {
        CountDownLatch over = new CountDownLatch(1);
        node.behave((request, connection) -> {
            connection.raw("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
            while (over.getCount() > 0) {
                connection.raw(" ");
                pause(over);
            }
        });
        long start = System.nanoTime();
        RpcFailure failure = failureOf(() -> rpc.getBestBlockHash(within(400)));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
        assertThat(failure).isInstanceOf(RpcFailure.TimedOut.class);
        over.countDown();
    }

    private static void pause(CountDownLatch over) {
        try {
            if (over.await(20, TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void theClientsOwnLimitBoundsALongerDeadline() {
        CountDownLatch held = new CountDownLatch(1);
        node.behave(ScriptedNode.holdUntil(held));
        RpcEndpoint impatient = new RpcEndpoint(
                "127.0.0.1",
                node.port(),
                new RpcCredentials.UserPassword("u", "p"),
                Duration.ofMillis(200),
                Duration.ofMillis(200),
                1);
        try (HttpNodeRpc quick = HttpNodeRpc.to(impatient)) {
            assertThat(failureOf(() -> quick.getBlockCount(within(60_000)))).isInstanceOf(RpcFailure.TimedOut.class);
            assertThat(failureOf(() -> quick.submitBlock("00", within(60_000))))
                    .isInstanceOf(RpcFailure.TimedOut.class);
        }
        held.countDown();
    }

    @Test
    void anExpiredDeadlineSendsNothing() {
        RpcFailure failure = failureOf(() -> rpc.submitBlock("00", within(0)));
        assertThat(failure).isInstanceOf(RpcFailure.NotSent.class);
        assertThat(failure.outcomeUnknown()).isFalse();
        assertThat(node.connections()).isZero();
    }

    @Test
    void aNameThatResolvesTooLateSendsNothing() throws Exception {
        CountDownLatch lookedUp = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        HostResolver slow = new HostResolver("127.0.0.1") {
            @Override
            InetAddress lookUp(String name) throws UnknownHostException {
                lookedUp.countDown();
                try {
                    release.await(10, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return super.lookUp(name);
            }
        };
        try (HttpNodeRpc late = HttpNodeRpc.over(node.endpoint(), slow, RpcMetrics.NONE)) {
            assertThat(failureOf(() -> late.submitBlock("00", within(200)))).isInstanceOf(RpcFailure.NotSent.class);
            assertThat(lookedUp.await(20, TimeUnit.SECONDS)).isTrue();
            release.countDown();
        }
        assertThat(node.requests()).isEmpty();
    }

    @Test
    void anUnknownHostIsNotSent() {
        RpcEndpoint nowhere = RpcEndpoint.of("no-such-host.invalid", 1, new RpcCredentials.UserPassword("u", "p"));
        try (HttpNodeRpc lost = HttpNodeRpc.to(nowhere)) {
            assertThat(failureOf(() -> lost.getBlockCount(within(5000)))).isInstanceOf(RpcFailure.NotSent.class);
        }
    }

    @Test
    void aRefusedConnectionIsNotSent() throws IOException {
        int port;
        try (ServerSocket unused = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = unused.getLocalPort();
        }
        RpcEndpoint closed = RpcEndpoint.of("127.0.0.1", port, new RpcCredentials.UserPassword("u", "p"));
        try (HttpNodeRpc refused = HttpNodeRpc.to(closed)) {
            RpcFailure failure = failureOf(() -> refused.submitBlock("00", within(5000)));
            assertThat(failure).isInstanceOf(RpcFailure.NotSent.class);
            assertThat(failure.outcomeUnknown()).isFalse();
        }
    }

    @Test
    void cancellingEndsACallUnderWay() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        node.behave(ScriptedNode.holdUntil(held));
        CancelSource cancel = new CancelSource();
        Thread canceller = new Thread(() -> {
            await().until(() -> !node.requests().isEmpty());
            cancel.cancel("superseded");
        });
        canceller.start();
        RpcFailure failure = failureOf(() -> rpc.cancelledBy(cancel).getBlockCount(within(20_000)));
        assertThat(failure).isInstanceOf(RpcFailure.Cancelled.class);
        canceller.join();
        held.countDown();
    }

    @Test
    void aCancelledCallerSendsNothing() {
        CancelSource cancel = new CancelSource();
        cancel.cancel("over");
        assertThat(failureOf(() -> rpc.cancelledBy(cancel).getBlockCount(within(5000))))
                .isInstanceOf(RpcFailure.NotSent.class);
        assertThat(node.connections()).isZero();
    }

    @Test
    void aLongTipWaitDoesNotDelayASubmission() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        node.behave((request, connection) -> {
            if ("waitfornewblock".equals(request.method())) {
                ScriptedNode.holdUntil(held).answer(request, connection);
                connection.result(request, "{\"hash\":\"" + HASH + "\",\"height\":1}");
            } else {
                connection.result(request, "null");
            }
        });
        Thread waiter =
                new Thread(() -> assertThat(rpc.waitForNewBlock(Duration.ofSeconds(5), Hash256.ZERO, within(20_000)))
                        .contains(Hash256.ofDisplayHex(HASH)));
        waiter.start();
        await().until(() -> node.methods().contains("waitfornewblock"));
        assertThat(node.requests().get(0).body()).endsWith("\"params\":[5000,\"" + "00".repeat(32) + "\"]}");
        assertThat(rpc.submitBlock("00", within(1000))).isEmpty();
        held.countDown();
        waiter.join();
    }

    @Test
    void aSaturatedPoolFailsWithoutSending() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        node.behave(ScriptedNode.holdUntil(held));
        RpcEndpoint single = new RpcEndpoint(
                "127.0.0.1",
                node.port(),
                new RpcCredentials.UserPassword("u", "p"),
                Duration.ofSeconds(10),
                Duration.ofSeconds(1),
                1);
        try (HttpNodeRpc narrow = HttpNodeRpc.to(single)) {
            Thread first = new Thread(() -> failureOf(() -> narrow.getBlockCount(within(3000))));
            first.start();
            await().until(() -> !node.requests().isEmpty());
            assertThat(failureOf(() -> narrow.getBlockCount(within(200)))).isInstanceOf(RpcFailure.NotSent.class);
            assertThat(node.requests()).hasSize(1);
            held.countDown();
            first.join();
        }
    }

    @Test
    void anAnswerOverTheLimitIsAProtocolFailure() {
        node.behave((request, connection) -> {
            connection.raw("HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n");
            String megabyte = " ".repeat(1 << 20);
            for (int i = 0; i < 9; i++) {
                connection.raw(megabyte);
            }
        });
        RpcFailure failure = failureOf(() -> rpc.getBlockCount(within(20_000)));
        assertThat(failure).isEqualTo(new RpcFailure.Protocol("answer exceeds the limit"));
    }

    @Test
    void aPortThatDoesNotSpeakHttpIsAnOwnKindOfFailure() {
        node.behave((request, connection) -> {
            connection.raw("\u00f9\u00be\u00b4\u00d9version\0\0\0\0\0");
            connection.close();
        });
        assertThat(failureOf(() -> rpc.getBlockCount(within(5000)))).isInstanceOf(RpcFailure.Transport.class);
    }

    @Test
    void aWebPageIsNotTakenForTheNode() {
        node.behave(
                (request, connection) -> connection.raw("HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n<html></html>"));
        assertThat(failureOf(() -> rpc.getBlockCount(within(5000))).message())
                .contains("RPC port")
                .contains("<html>");
    }

    @Test
    void aBlockOfMegabytesIsSentWhole() {
        String hex = "ab".repeat(2_000_000);
        node.behave((request, connection) -> connection.result(request, "null"));
        assertThat(rpc.submitBlock(hex, within(5000))).isEmpty();
        assertThat(node.requests().get(0).body()).contains("\"params\":[\"" + hex + "\"]}");
    }

    @Test
    void amountsAreExactDecimals() {
        node.behave((request, connection) ->
                connection.result(request, "{\"minrelaytxfee\":0.00001000,\"mempoolminfee\":2.5e-06}"));
        FeeFloors floors = rpc.getFeeFloors(within(5000));
        assertThat(floors.minimumRelay().orElseThrow().toPlainString()).isEqualTo("0.00001000");
        assertThat(floors.highest().orElseThrow()).isEqualByComparingTo("0.00001");
    }

    @Test
    void anUnknownBlockIsAbsentAndOtherErrorsAreNot() {
        node.behave((request, connection) -> connection.error(request, 500, -5, "Block not found"));
        assertThat(rpc.getBlockHeader(Hash256.ZERO, within(5000))).isEmpty();
        node.behave((request, connection) -> connection.error(request, 500, -28, "Loading"));
        assertThatExceptionOfType(RpcException.class).isThrownBy(() -> rpc.getBlockHeader(Hash256.ZERO, within(5000)));
        node.behave((request, connection) -> connection.result(request, "{\"confirmations\":-1,\"height\":7}"));
        assertThat(rpc.getBlockHeader(Hash256.ZERO, within(5000))).contains(new BlockPlace(7, -1));
        node.behave((request, connection) -> connection.result(request, "{\"height\":7}"));
        assertThat(rpc.getBlockHeader(Hash256.ZERO, within(5000))).isEmpty();
    }

    @Test
    void onlyTheCodesForUnknownMethodsMeanUnsupported() {
        assertThat(unsupported(-32601)).isTrue();
        assertThat(unsupported(-32602)).isTrue();
        assertThat(unsupported(-8)).isFalse();
    }

    private static boolean unsupported(int code) {
        return new RpcException(RpcMethod.WAIT_FOR_NEW_BLOCK, new RpcFailure.NodeError(code, "", 500)).unsupported();
    }

    @Test
    void aRewrittenCookieFileIsReadAgainAfterARefusal(@TempDir Path directory) throws IOException {
        Path cookie = directory.resolve(".cookie");
        Files.writeString(cookie, "__cookie__:old");
        AtomicInteger refused = new AtomicInteger();
        node.behave((request, connection) -> {
            if (request.header("Authorization").equals(basic("__cookie__:new"))) {
                connection.result(request, "\"" + HASH + "\"");
            } else {
                refused.incrementAndGet();
                connection.raw("HTTP/1.1 401 X\r\nContent-Length: 0\r\n\r\n");
            }
        });
        try (HttpNodeRpc withCookie =
                HttpNodeRpc.to(RpcEndpoint.of("127.0.0.1", node.port(), new RpcCredentials.CookieFile(cookie)))) {
            assertThat(failureOf(() -> withCookie.getBestBlockHash(within(5000))))
                    .isInstanceOf(RpcFailure.Unauthorized.class);
            assertThat(refused).hasValue(1);
            Files.writeString(cookie, "__cookie__:new\n");
            // A mutating call is not repeated, but the next one knows the new cookie.
            assertThat(failureOf(() -> withCookie.submitBlock("00", within(5000))))
                    .isInstanceOf(RpcFailure.Unauthorized.class);
            assertThat(refused).hasValue(2);
            assertThat(withCookie.getBestBlockHash(within(5000))).isEqualTo(Hash256.ofDisplayHex(HASH));
            assertThat(refused).hasValue(2);
        }
    }

    private static String basic(String userInfo) {
        return "Basic " + Base64.getEncoder().encodeToString(userInfo.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aReadIsRepeatedWithTheNewCookie(@TempDir Path directory) throws IOException {
        Path cookie = directory.resolve(".cookie");
        Files.writeString(cookie, "__cookie__:old");
        node.behave((request, connection) -> {
            if (request.header("Authorization").equals(basic("__cookie__:new"))) {
                connection.result(request, "\"" + HASH + "\"");
            } else {
                Files.writeString(cookie, "__cookie__:new");
                connection.raw("HTTP/1.1 401 X\r\nContent-Length: 0\r\n\r\n");
            }
        });
        try (HttpNodeRpc withCookie =
                HttpNodeRpc.to(RpcEndpoint.of("127.0.0.1", node.port(), new RpcCredentials.CookieFile(cookie)))) {
            assertThat(withCookie.getBestBlockHash(within(5000))).isEqualTo(Hash256.ofDisplayHex(HASH));
        }
    }
}
