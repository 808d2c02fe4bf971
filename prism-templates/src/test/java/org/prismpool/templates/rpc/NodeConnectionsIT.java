package org.prismpool.templates.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.prismpool.lifecycle.time.CancelSource;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.chain.Hash256;

/** Which connection carries a call, when it is closed, and what a call may wait for. */
class NodeConnectionsIT {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final ScriptedNode.Behaviour ONE = (request, connection) -> connection.result(request, "1");

    private final ScriptedNode node = new ScriptedNode(ONE);
    private final HttpNodeRpc rpc = HttpNodeRpc.to(node.endpoint());

    @AfterEach
    void stop() throws IOException {
        rpc.close();
        node.close();
    }

    private static Deadline soon() {
        return Deadline.after(LONG, MonotonicClock.system(), "test");
    }

    private static Deadline within(long millis) {
        return Deadline.after(Duration.ofMillis(millis), MonotonicClock.system(), "test");
    }

    private static RpcFailure failureOf(ThrowingCallable call) {
        return catchThrowableOfType(RpcException.class, call).failure();
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 404, 500, 503})
    void anAnswerThatIsNot200EndsItsConnection(int status) {
        node.behave((request, connection) -> connection.error(request, status, -5, "refused"));
        failureOf(() -> rpc.getBlockCount(soon()));
        node.behave(ONE);
        int before = node.connections();

        assertThat(rpc.getBlockCount(soon())).isEqualTo(1);

        assertThat(node.connections()).isEqualTo(before + 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 500, 503})
    void aReadIsNotRepeatedAfterAnAnswer(int status) {
        node.behave((request, connection) -> connection.raw("HTTP/1.1 " + status + " X\r\nContent-Length: 0\r\n\r\n"));
        failureOf(() -> rpc.getBlockCount(soon()));
        node.behave((request, connection) -> connection.error(request, status, -28, "warming up"));
        failureOf(() -> rpc.getBlockCount(soon()));

        assertThat(node.requests()).hasSize(2);
    }

    @Test
    void aRedirectionIsNotFollowed() {
        node.behave((request, connection) -> connection.raw("HTTP/1.1 307 X\r\nLocation: http://127.0.0.1:"
                + node.port() + "/elsewhere\r\nContent-Length: 0\r\n\r\n"));

        assertThat(failureOf(() -> rpc.getBlockCount(soon()))).isInstanceOf(RpcFailure.Protocol.class);

        assertThat(node.requests()).hasSize(1);
    }

    @Test
    void anAnswerWithoutJsonIsReportedWithItsStatusAndItsBeginning() {
        String page = "p".repeat(200) + "q".repeat(200);
        node.behave((request, connection) ->
                connection.raw("HTTP/1.1 502 X\r\nContent-Length: " + page.length() + "\r\n\r\n" + page));

        RpcException failure = catchThrowableOfType(RpcException.class, () -> rpc.getBlockCount(soon()));

        assertThat(failure).hasMessageContaining("getblockcount");
        assertThat(failure.failure().message())
                .contains("502")
                .endsWith("p".repeat(200))
                .doesNotContain("q".repeat(2));
    }

    @Test
    void aSaturatedPoolDoesNotDelayABlock() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        node.behave((request, connection) -> {
            if (!"submitblock".equals(request.method())) {
                ScriptedNode.holdUntil(held).answer(request, connection);
            }
            connection.result(request, "null");
        });
        RpcEndpoint narrow =
                new RpcEndpoint("127.0.0.1", node.port(), new RpcCredentials.UserPassword("u", "p"), LONG, LONG, 1);
        try (HttpNodeRpc saturated = HttpNodeRpc.to(narrow)) {
            Thread reader = new Thread(() -> failureOf(() -> saturated.getBlockCount(soon())));
            reader.start();
            await("the only place is taken")
                    .atMost(LONG)
                    .until(() -> node.methods().contains("getblockcount"));

            assertThat(saturated.submitBlock("00", soon())).isEmpty();

            held.countDown();
            reader.join();
        }
    }

    @Test
    void aTipWaitMayTakeItsOwnTimeBesidesTheLimitOfACall() {
        RpcEndpoint impatient = new RpcEndpoint(
                "127.0.0.1",
                node.port(),
                new RpcCredentials.UserPassword("u", "p"),
                Duration.ofMillis(100),
                Duration.ofMillis(100),
                1);
        CountDownLatch held = new CountDownLatch(1);
        node.behave((request, connection) -> {
            ScriptedNode.holdUntil(held).answer(request, connection);
            connection.result(request, "{}");
        });
        try (HttpNodeRpc client = HttpNodeRpc.to(impatient)) {
            assertThat(failureOf(() -> client.getBlockCount(soon()))).isInstanceOf(RpcFailure.TimedOut.class);
            Thread opener = new Thread(() -> {
                await().until(() -> node.methods().contains("waitfornewblock"));
                held.countDown();
            });
            opener.start();
            assertThat(client.waitForNewBlock(Duration.ofSeconds(5), Hash256.ZERO, soon()))
                    .isEmpty();
        }
    }

    @Test
    void theLimitsOfTheContractAreTheDefaults() {
        RpcEndpoint endpoint = RpcEndpoint.of("127.0.0.1", 18452, new RpcCredentials.UserPassword("u", "p"));
        assertThat(endpoint.callTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(endpoint.submitTimeout()).isEqualTo(Duration.ofSeconds(1));
        assertThat(endpoint.maxConnections()).isEqualTo(8);
        assertThat(Duration.ofNanos(ConnectionPool.IDLE_NANOS)).isLessThan(Duration.ofSeconds(25));
    }

    @Test
    void anAnswerToAnotherRequestEndsItsConnectionSoThatItsOwnOneIsNotTakenForTheNext() {
        node.behave((request, connection) -> connection.json(200, "{\"result\":7,\"error\":null,\"id\":\"other\"}"));
        assertThat(failureOf(() -> rpc.getBlockCount(soon()))).isInstanceOf(RpcFailure.Protocol.class);
        node.behave(ONE);

        assertThat(rpc.getBlockCount(soon())).isEqualTo(1);

        assertThat(node.connections()).isEqualTo(2);
    }

    @Test
    void whatFollowsAnAnswerUnaskedIsNotReadAsTheNextOne() throws Exception {
        Semaphore sent = new Semaphore(0);
        node.behave((request, connection) -> {
            connection.result(request, "1");
            connection.json(200, "{\"result\":7,\"error\":null,\"id\":\"x\"}");
            sent.release();
        });
        rpc.getBlockCount(soon());
        assertThat(sent.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        node.behave(ONE);

        assertThat(rpc.getBlockCount(soon())).isEqualTo(1);
    }

    @Test
    void aBlockIsNotSentOverAConnectionThatTheNodeHasClosedMeanwhile() throws Exception {
        Semaphore closed = new Semaphore(0);
        node.behave((request, connection) -> {
            connection.result(request, "null");
            connection.close();
            closed.release();
        });
        for (int block = 0; block < 20; block++) {
            assertThat(rpc.submitBlock("00", soon())).isEmpty();
            assertThat(closed.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(node.requests()).hasSize(20);
    }

    @Test
    void aReadIsRepeatedOverANewConnectionAlthoughOthersAreKept() throws Exception {
        keepConnections(3);
        AtomicInteger calls = new AtomicInteger();
        node.behave((request, connection) -> {
            if (calls.incrementAndGet() == 1) {
                connection.close();
            } else {
                connection.result(request, "1");
            }
        });
        int before = node.connections();

        assertThat(rpc.getBlockCount(soon())).isEqualTo(1);

        assertThat(node.connections()).isEqualTo(before + 1);
    }

    /** Makes so many calls at a time, which leaves so many connections behind. */
    private void keepConnections(int count) throws InterruptedException {
        Phaser together = new Phaser(count);
        node.behave((request, connection) -> {
            together.arriveAndAwaitAdvance();
            connection.result(request, "1");
        });
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Thread caller = new Thread(() -> rpc.getBlockCount(soon()));
            caller.start();
            callers.add(caller);
        }
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(node.connections()).isEqualTo(count);
    }

    @Test
    void aNodeThatDoesNotReadGetsNothingAfterTheDeadline() throws Exception {
        String hex = "ab".repeat(2_000_000);
        try (ServerSocket deaf = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            deaf.setReceiveBufferSize(4096);
            RpcEndpoint at = RpcEndpoint.of(
                    "127.0.0.1", deaf.getLocalPort(), new RpcCredentials.UserPassword("rpc-user", "rpc-password"));
            try (HttpNodeRpc client = HttpNodeRpc.to(at)) {
                RpcFailure failure = failureOf(() -> client.submitBlock(hex, within(1_000)));
                assertThat(failure).isInstanceOf(RpcFailure.TimedOut.class);
            }
            try (Socket late = deaf.accept()) {
                int received = 0;
                InputStream in = late.getInputStream();
                byte[] chunk = new byte[1 << 16];
                for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
                    received += count;
                }
                assertThat(received).as("the connection ended in the middle").isLessThan(hex.length());
            } catch (SocketException reset) {
                assertThat(reset).hasMessageContaining("reset");
            }
        }
    }

    @Test
    void callsAreAnsweredWhileEveryThreadOfTheCommonPoolIsBusy() {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger busy = new AtomicInteger();
        int threads = Math.max(1, ForkJoinPool.getCommonPoolParallelism());
        try {
            for (int i = 0; i < 2 * threads; i++) {
                ForkJoinPool.commonPool().execute(() -> {
                    busy.incrementAndGet();
                    try {
                        release.await(60, TimeUnit.SECONDS);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
            }
            await("the common pool is busy").atMost(LONG).until(() -> busy.get() >= threads);

            assertThat(rpc.getBlockCount(within(9_000))).isEqualTo(1);
            node.behave((request, connection) -> connection.result(request, "null"));
            assertThat(rpc.submitBlock("00", within(9_000))).isEmpty();
            node.behave((request, connection) -> connection.close());
            assertThat(failureOf(() -> rpc.getBlockCount(within(9_000)))).isInstanceOf(RpcFailure.Transport.class);
        } finally {
            release.countDown();
        }
    }

    @Test
    void anAnswerInChunksAndOneUpToTheEndOfTheConnectionAreRead() {
        node.behave((request, connection) -> {
            String body = "{\"result\":42,\"id\":\"" + request.id() + "\"}";
            connection.raw("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            connection.raw("5;ext=1\r\n" + body.substring(0, 5) + "\r\n");
            connection.raw(Integer.toHexString(body.length() - 5).toUpperCase(Locale.ROOT) + "\r\n" + body.substring(5)
                    + "\r\n0\r\nTrailer: x\r\n\r\n");
        });
        assertThat(rpc.getBlockCount(soon())).isEqualTo(42);
        assertThat(rpc.getBlockCount(soon())).isEqualTo(42);
        assertThat(node.connections()).isEqualTo(1);
        node.behave((request, connection) -> {
            connection.raw("HTTP/1.0 200 OK\r\n\r\n{\"result\":43,\"id\":\"" + request.id() + "\"}");
            connection.close();
        });
        assertThat(rpc.getBlockCount(soon())).isEqualTo(43);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 999 X\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n12",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                "HTTP/1.1 200 OK\r\nno colon\r\n\r\n"
            })
    void brokenHttpIsATransportFailureAtOnce(String answer) {
        node.behave((request, connection) -> connection.raw(answer));
        assertThat(failureOf(() -> rpc.getBlockCount(soon()))).isInstanceOf(RpcFailure.Transport.class);
        assertThat(node.requests()).hasSize(2);
    }

    @Test
    void anAnswerWithoutALineEndIsNotCollectedForEver() {
        String megabyte = "x".repeat(1 << 20);
        node.behave((request, connection) -> connection.raw("HTTP/1.1 200 OK\r\nX: " + megabyte));
        assertThat(failureOf(() -> rpc.getBlockCount(soon()))).isInstanceOf(RpcFailure.Transport.class);
    }

    @Test
    void chunksOverTheLimitAreAProtocolFailure() {
        node.behave((request, connection) ->
                connection.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7fffffff\r\n"));
        assertThat(failureOf(() -> rpc.getBlockCount(soon())))
                .isEqualTo(new RpcFailure.Protocol("answer exceeds the limit"));
    }

    @Test
    void aForeignProtocolIsToldByItsFirstBytes() {
        CountDownLatch held = new CountDownLatch(1);
        node.behave((request, connection) -> {
            connection.raw("version 1 and no line end");
            ScriptedNode.holdUntil(held).answer(request, connection);
        });
        RpcFailure failure = failureOf(() -> rpc.submitBlock("00", soon()));
        assertThat(failure).isInstanceOf(RpcFailure.Transport.class);
        assertThat(failure.message()).contains("RPC port");
        held.countDown();
    }

    @Test
    void aCancelledCallDoesNotWaitForAPlace() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        node.behave(ScriptedNode.holdUntil(held));
        RpcEndpoint single =
                new RpcEndpoint("127.0.0.1", node.port(), new RpcCredentials.UserPassword("u", "p"), LONG, LONG, 1);
        CancelSource cancel = new CancelSource();
        AtomicReference<RpcFailure> second = new AtomicReference<>();
        Thread first;
        try (HttpNodeRpc narrow = HttpNodeRpc.to(single)) {
            first = new Thread(() -> failureOf(() -> narrow.getBlockCount(soon())));
            first.start();
            await().atMost(LONG).until(() -> !node.requests().isEmpty());
            Thread waiting = new Thread(
                    () -> second.set(failureOf(() -> narrow.cancelledBy(cancel).getBlockCount(soon()))));
            waiting.start();
            await().atMost(LONG).until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
            cancel.cancel("superseded");
            waiting.join(LONG.toMillis());
            assertThat(second.get()).isEqualTo(new RpcFailure.NotSent("cancelled"));
        }
        first.join(LONG.toMillis());
        assertThat(first.isAlive()).as("closing ends calls under way").isFalse();
        held.countDown();
    }

    @Test
    void anInterruptEndsACallAndStaysVisible() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        node.behave(ScriptedNode.holdUntil(held));
        AtomicReference<RpcFailure> failure = new AtomicReference<>();
        CountDownLatch stillInterrupted = new CountDownLatch(1);
        Thread caller = new Thread(() -> {
            failure.set(failureOf(() -> rpc.getBlockCount(soon())));
            if (Thread.currentThread().isInterrupted()) {
                stillInterrupted.countDown();
            }
        });
        caller.start();
        await().atMost(LONG).until(() -> !node.requests().isEmpty());
        caller.interrupt();
        caller.join(LONG.toMillis());
        assertThat(failure.get()).isEqualTo(new RpcFailure.Cancelled("interrupted"));
        assertThat(stillInterrupted.getCount()).isZero();
        held.countDown();
    }

    /** Hangs in its first lookup until released. */
    private static HostResolver hanging(long sharedNanos, AtomicInteger lookups, CountDownLatch release) {
        return new HostResolver("127.0.0.1", sharedNanos) {
            @Override
            InetAddress lookUp(String name) throws UnknownHostException {
                if (lookups.incrementAndGet() == 1) {
                    try {
                        release.await(60, TimeUnit.SECONDS);
                    } catch (InterruptedException closed) {
                        throw new UnknownHostException("closed");
                    }
                }
                return super.lookUp(name);
            }
        };
    }

    @Test
    void callsShareALookupUnderWay() {
        AtomicInteger lookups = new AtomicInteger();
        CountDownLatch release = new CountDownLatch(1);
        HostResolver resolver = hanging(TimeUnit.HOURS.toNanos(1), lookups, release);
        try (HttpNodeRpc client = HttpNodeRpc.over(node.endpoint(), resolver, RpcMetrics.NONE)) {
            for (int call = 0; call < 3; call++) {
                assertThat(failureOf(() -> client.getBlockCount(within(50)))).isInstanceOf(RpcFailure.NotSent.class);
            }
            release.countDown();
            assertThat(client.getBlockCount(soon())).isEqualTo(1);
            assertThat(lookups).as("the three shared one").hasValueLessThan(3);
        } finally {
            release.countDown();
        }
    }

    @Test
    void aLookupThatHangsIsLeftAlone() throws Exception {
        AtomicInteger lookups = new AtomicInteger();
        CountDownLatch release = new CountDownLatch(1);
        HostResolver resolver = hanging(0, lookups, release);
        try (HttpNodeRpc client = HttpNodeRpc.over(node.endpoint(), resolver, RpcMetrics.NONE)) {
            Thread first = new Thread(() -> client.getBlockCount(soon()));
            first.start();
            await("the first lookup hangs").atMost(LONG).until(() -> lookups.get() == 1);
            assertThat(client.getBlockCount(soon())).isEqualTo(1);
            assertThat(first.isAlive()).isTrue();
            release.countDown();
            first.join(LONG.toMillis());
        } finally {
            release.countDown();
        }
    }

    @Test
    void closingLeavesNoThreadBehind() {
        Set<Thread> before = clientThreads();
        HttpNodeRpc another = HttpNodeRpc.to(node.endpoint());
        another.getBlockCount(soon());
        another.close();
        await().atMost(LONG).until(() -> before.containsAll(clientThreads()));
        assertThat(failureOf(() -> another.getBlockCount(soon()))).isInstanceOf(RpcFailure.NotSent.class);
    }

    private static Set<Thread> clientThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("prism-templates-rpc")
                        || thread.getName().startsWith("prism-templates-resolve"))
                .collect(Collectors.toSet());
    }
}
