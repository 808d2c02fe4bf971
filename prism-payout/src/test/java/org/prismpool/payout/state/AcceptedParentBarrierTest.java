package org.prismpool.payout.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.CancelSource;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.templates.chain.Hash256;

class AcceptedParentBarrierTest {

    private static final List<PriorBalance> AFTER =
            List.of(PriorBalance.of(new PayoutIdentity("a", "a", "aa".repeat(32)), BigInteger.TEN));

    private final MonotonicClock clock = MonotonicClock.system();
    private final Map<Long, Hash256> chain = new HashMap<>();
    private final AtomicInteger probes = new AtomicInteger();
    private final AtomicInteger timeouts = new AtomicInteger();
    private boolean nodeDown;
    private final AcceptedParentBarrier barrier = new AcceptedParentBarrier(
            new PayoutStateConfig(Duration.ofSeconds(1), 8, 8, Duration.ofMillis(300), PreparedWindowConfig.DEFAULT),
            this::blockAt,
            new PayoutEvents() {},
            new PayoutStateMetrics() {
                @Override
                public void previewWaitTimeout() {
                    timeouts.incrementAndGet();
                }
            },
            clock);

    @BeforeEach
    void enumerated() {
        barrier.replayEnumerated();
    }

    @Test
    void nothingIsBuiltBeforeTheOutboxWasEnumerated() throws Exception {
        AcceptedParentBarrier fresh = new AcceptedParentBarrier(
                PayoutStateConfig.DEFAULT, this::blockAt, new PayoutEvents() {}, new PayoutStateMetrics() {}, clock);

        assertThat(fresh.balancesFor(hash(1), 1, deadline(), CancelSignal.never()))
                .isInstanceOf(ParentBalances.Blocked.class);
    }

    @Test
    void aParentOfOthersStartsFromConfirmedBalances() throws Exception {
        assertThat(balances(hash(9), 9)).isEqualTo(new ParentBalances.Confirmed());
    }

    @Test
    void aChildUsesThePreviewThatArrivesWhileItWaits() throws Exception {
        barrier.landed(hash(10), 10);
        CompletableFuture<ParentBalances> child = CompletableFuture.supplyAsync(() -> {
            try {
                return balances(hash(10), 10);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });

        barrier.adopt(hash(10), AFTER);

        assertThat(child.get()).isEqualTo(new ParentBalances.Preview(hash(10), AFTER));
        assertThat(timeouts).hasValue(0);
    }

    @Test
    void aChildWhosePreviewNeverComesIsPendingAndNotBlocked() throws Exception {
        barrier.pending(hash(10), 10);

        assertThat(balances(hash(10), 10)).isInstanceOf(ParentBalances.NotReady.class);
        assertThat(timeouts).hasValue(1);
    }

    @Test
    void aWaitingChildEndsWithItsCancellation() throws Exception {
        barrier.landed(hash(10), 10);
        CancelSource cancel = new CancelSource();
        cancel.cancel("newer tip");

        assertThat(barrier.balancesFor(hash(10), 10, deadline(), cancel)).isInstanceOf(ParentBalances.Stopped.class);
    }

    @Test
    void aGrandchildIsGovernedByTheHighestOwnBlockOnTheActiveChain() throws Exception {
        barrier.landed(hash(10), 10);
        barrier.adopt(hash(10), AFTER);
        barrier.landed(hash(8), 8);
        barrier.adopt(hash(8), List.of());
        chain.put(10L, hash(10));
        chain.put(8L, hash(8));

        assertThat(balances(hash(12), 12)).isEqualTo(new ParentBalances.Preview(hash(10), AFTER));
        assertThat(probes).hasValue(1);
    }

    @Test
    void siblingsOfOneHeightAreProbedOnce() throws Exception {
        barrier.pending(hash(101), 10);
        barrier.pending(hash(102), 10);
        chain.put(10L, hash(999));

        assertThat(balances(hash(12), 12)).isEqualTo(new ParentBalances.Confirmed());
        assertThat(probes).hasValue(1);
    }

    @Test
    void aLandedBlockThatTheChainDoesNotShowYetMakesChildrenWait() throws Exception {
        barrier.landed(hash(10), 10);
        chain.put(10L, hash(999));

        assertThat(balances(hash(12), 12)).isInstanceOf(ParentBalances.NotReady.class);
    }

    @Test
    void anUnreachableNodeBlocksChildrenOfPendingBlocks() throws Exception {
        barrier.pending(hash(10), 10);
        nodeDown = true;

        assertThat(balances(hash(12), 12)).isInstanceOf(ParentBalances.Blocked.class);
    }

    @Test
    void aBlockAboveTheParentGovernsNothing() throws Exception {
        barrier.landed(hash(20), 20);

        assertThat(balances(hash(12), 12)).isEqualTo(new ParentBalances.Confirmed());
    }

    @Test
    void aLostParentBlocksItsDescendantsUntilItIsCleared() throws Exception {
        barrier.landed(hash(10), 10);
        barrier.adopt(hash(10), AFTER);
        barrier.withdrawn(hash(10));
        assertThat(balances(hash(10), 10)).isInstanceOf(ParentBalances.Blocked.class);

        barrier.cleared(hash(10));

        assertThat(balances(hash(10), 10)).isEqualTo(new ParentBalances.Confirmed());
    }

    @Test
    void sevenUnresolvedBlocksLetChildrenBuildAndEightDoNot() throws Exception {
        for (int i = 1; i <= 7; i++) {
            barrier.landed(hash(i), i);
            barrier.adopt(hash(i), AFTER);
        }
        assertThat(balances(hash(7), 7)).isInstanceOf(ParentBalances.Preview.class);

        barrier.landed(hash(8), 8);
        barrier.adopt(hash(8), AFTER);

        assertThat(balances(hash(8), 8)).isInstanceOf(ParentBalances.Blocked.class);
        assertThat(barrier.unresolved()).isEqualTo(8);
    }

    @Test
    void unlandingTakesBackOnlyTheMarkOfALandingThatNobodySaw() {
        barrier.pending(hash(10), 10);
        barrier.landed(hash(10), 10);
        barrier.unlanded(hash(10));
        assertThat(barrier.transition(hash(10)).orElseThrow().phase()).isEqualTo(ParentPhase.PENDING);

        barrier.landed(hash(10), 10);
        barrier.adopt(hash(10), AFTER);
        barrier.unlanded(hash(10));

        assertThat(barrier.transition(hash(10)).orElseThrow().phase()).isEqualTo(ParentPhase.PREVIEWED);
    }

    @Test
    void clearingMakesNoDifferenceToOthers() {
        barrier.landed(hash(10), 10);
        barrier.landed(hash(11), 11);

        barrier.cleared(hash(10));

        assertThat(barrier.transitions()).extracting(ParentTransition::hash).containsExactly(hash(11));
        assertThat(barrier.oldestUnresolvedAge()).isPositive();
    }

    private ParentBalances balances(Hash256 parent, long height) throws InterruptedException {
        return barrier.balancesFor(parent, height, deadline(), CancelSignal.never());
    }

    private Optional<Hash256> blockAt(long height, Deadline deadline) {
        probes.incrementAndGet();
        if (nodeDown) {
            throw new IllegalStateException("node down");
        }
        return Optional.ofNullable(chain.get(height));
    }

    private Deadline deadline() {
        return Deadline.after(Duration.ofSeconds(10), clock, "test");
    }

    private static Hash256 hash(int n) {
        return Hash256.ofDisplayHex(String.format("%064x", n));
    }
}
