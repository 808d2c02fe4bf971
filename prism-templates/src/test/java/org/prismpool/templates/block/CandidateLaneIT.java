package org.prismpool.templates.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.prismpool.templates.block.Candidates.candidate;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.prismpool.templates.block.AccountingResult.RetryReason;
import org.prismpool.templates.rpc.HttpNodeRpc;
import org.prismpool.templates.rpc.RpcCredentials;
import org.prismpool.templates.rpc.RpcEndpoint;
import org.prismpool.templates.rpc.ScriptedNode;

/** The lane against nodes that really listen, in real time. */
class CandidateLaneIT {

    private static final AccountingResult RETRY = new AccountingResult.Retry(RetryReason.INTERNAL_ERROR, "");

    private final BlockCandidate block = candidate(1, 100);

    /** Accounting that asks again as long as the node's answer leaves the outcome open. */
    private static Optional<AccountingResult> untilKnown(OfferedCandidate candidate) {
        boolean open = candidate.outcome() instanceof OfferOutcome.Undecided;
        return Optional.of(open ? RETRY : new AccountingResult.Submitted(true));
    }

    @Test
    void aBlockWhoseAnswerIsLostIsAskedForAgainAndAccountedOnce() throws IOException {
        AtomicInteger taken = new AtomicInteger();
        try (ScriptedNode node = new ScriptedNode((request, connection) -> {
                    if (taken.incrementAndGet() == 1) {
                        connection.close(); // the block is stored, its answer is not sent
                    } else {
                        connection.result(request, "\"duplicate\"");
                    }
                });
                HttpNodeRpc rpc = HttpNodeRpc.to(node.endpoint());
                LaneFixture fixture = new LaneFixture(rpc, List.of())) {
            fixture.accounting = CandidateLaneIT::untilKnown;
            fixture.start().lane.offer(block);
            OfferedCandidate second = fixture.awaitAccounted(2);
            assertThat(second.outcome()).isEqualTo(new OfferOutcome.Duplicate());
            assertThat(fixture.accounted.get(0).outcome())
                    .isInstanceOfSatisfying(
                            OfferOutcome.Undecided.class,
                            lost -> assertThat(lost.sent()).isTrue());
            await().until(() -> fixture.lane.snapshot().pending() == 0);
            assertThat(node.methods()).containsExactly("submitblock", "submitblock");
        }
    }

    @Test
    void aNodeThatRestartsInMidOfferGetsTheBlockWhenItIsBack() throws IOException {
        int port;
        try (ServerSocket reserved = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = reserved.getLocalPort();
        }
        RpcEndpoint endpoint = RpcEndpoint.of("127.0.0.1", port, new RpcCredentials.UserPassword("u", "p"));
        try (HttpNodeRpc rpc = HttpNodeRpc.to(endpoint);
                LaneFixture fixture = new LaneFixture(rpc, List.of())) {
            fixture.accounting = CandidateLaneIT::untilKnown;
            fixture.start().lane.offer(block);
            OfferedCandidate first = fixture.awaitAccounted(1);
            assertThat(first.everOffered()).isFalse();
            try (ScriptedNode back =
                    new ScriptedNode(port, (request, connection) -> connection.result(request, "null"))) {
                await().until(() -> fixture.lane.snapshot().pending() == 0);
                assertThat(fixture.accounted.get(fixture.accounted.size() - 1).outcome())
                        .isEqualTo(new OfferOutcome.Accepted());
                assertThat(back.methods()).containsExactly("submitblock");
            }
        }
    }

    @Test
    void aNodeThatHangsEndsTheOfferAfterASecondAndIsAskedAgainWithGrowingPauses() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (ScriptedNode node = new ScriptedNode(ScriptedNode.holdUntil(over));
                HttpNodeRpc rpc = HttpNodeRpc.to(node.endpoint());
                LaneFixture fixture = new LaneFixture(rpc, List.of())) {
            fixture.accounting = CandidateLaneIT::untilKnown;
            long start = System.nanoTime();
            fixture.start().lane.offer(block);
            fixture.awaitAccounted(1);
            assertThat(since(start)).isBetween(Duration.ofMillis(950), Duration.ofSeconds(10));
            fixture.awaitAccounted(2);
            assertThat(since(start)).isGreaterThan(Duration.ofMillis(2200));
            assertThat(fixture.lane.snapshot().pending()).isEqualTo(1);
            assertThat(fixture.counters.offerNanos).isEmpty();
            over.countDown();
        }
    }

    private static Duration since(long start) {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @Test
    void twoNodesThatDisagreeLeaveTheDecisionToThePrimary() throws IOException {
        try (ScriptedNode primary =
                        new ScriptedNode((request, connection) -> connection.result(request, "\"inconclusive\""));
                ScriptedNode other = new ScriptedNode((request, connection) -> connection.result(request, "null"));
                HttpNodeRpc rpc = HttpNodeRpc.to(primary.endpoint());
                HttpNodeRpc further = HttpNodeRpc.to(other.endpoint());
                LaneFixture fixture = new LaneFixture(rpc, List.of(further))) {
            fixture.start().lane.offer(block);
            OfferedCandidate handedOver = fixture.awaitAccounted(1);
            assertThat(handedOver.outcome()).isEqualTo(new OfferOutcome.Inconclusive("inconclusive"));
            await().until(() -> fixture.counters.further.equals(List.of(true)));
            fixture.lane.settle(block.hash(), new AccountingResult.Parked());
            fixture.lane.observeTip(block.hash());
            assertThat(fixture.awaitAccounted(2).candidate()).isEqualTo(block);
        }
    }
}
