package org.prismpool.payout.reorg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.payout.reorg.WatchedBlock.State;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.payout.state.BalanceSerializer;
import org.prismpool.payout.state.PayoutEvents;
import org.prismpool.payout.state.PayoutState;
import org.prismpool.payout.state.PayoutStateConfig;
import org.prismpool.payout.state.PayoutStateMetrics;
import org.prismpool.payout.state.PayoutStatePorts;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.templates.chain.Hash256;

class ReorgReconcilerTest {

    private static final List<PriorBalance> OWED =
            List.of(PriorBalance.of(new PayoutIdentity("a", "a", "aa".repeat(32)), BigInteger.TEN));

    private final ManualClock clock = new ManualClock();
    private final Map<Long, Hash256> chain = new HashMap<>();
    private final Map<Hash256, WatchedBlock> rows = new HashMap<>();
    private final List<String> changes = new ArrayList<>();
    private final AtomicInteger passes = new AtomicInteger();
    private final AtomicInteger matureOffChain = new AtomicInteger(-1);
    private final AtomicInteger failures = new AtomicInteger();
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private volatile String distrust = "";
    private volatile String failAt = "";
    private volatile List<WatchedBlock> mature = List.of();
    private List<PriorBalance> balances = List.of();
    private long tipHeight = 100;
    private final PayoutState payout = new PayoutState(
            PayoutStateConfig.DEFAULT,
            new PayoutStatePorts(
                    (deadline, cancel) -> balances,
                    (height, deadline) -> Optional.empty(),
                    new PayoutEvents() {},
                    new PayoutStateMetrics() {}),
            clock);
    private final BalanceSerializer serializer = new BalanceSerializer();
    private final ReorgReconciler reconciler =
            new ReorgReconciler(ReconcileConfig.DEFAULT, ports(), payout, serializer, clock);

    @BeforeEach
    void publish() throws Exception {
        payout.publishCurrent(true, Deadline.unbounded(clock, "test"), CancelSignal.never());
    }

    @AfterEach
    void close() {
        gate.countDown();
        reconciler.close();
    }

    @Test
    void aPassThatFindsAgreementPublishesNothing() {
        confirmed(50);
        chain.put(50L, hash(50));

        ReconcileSummary summary = reconciled(prove(hash(100)));

        assertThat(summary.watched()).isEqualTo(1);
        assertThat(summary.changed()).isFalse();
        assertThat(payout.published().generation()).isEqualTo(1);
    }

    @Test
    void aConfirmedBlockThatLeftTheChainGoesInactiveAndComesBackWithItsRow() {
        confirmed(50);
        chain.put(50L, hash(999));
        assertThat(reconciled(prove(hash(100))).inactive()).isEqualTo(1);
        assertThat(rows.get(hash(50)).state()).isEqualTo(State.INACTIVE);

        chain.put(50L, hash(50));
        assertThat(reconciled(prove(hash(101))).reactivated()).isEqualTo(1);

        assertThat(rows.get(hash(50)).state()).isEqualTo(State.CONFIRMED);
        assertThat(changes).containsExactly("inactive 50", "reactivate 50");
    }

    @Test
    void aChangeClosesDeliveryAndPublishesTheLedgersBalances() {
        confirmed(50);
        balances = OWED;

        ReconcileSummary summary = reconciled(prove(hash(100)));

        assertThat(summary.publishedGeneration()).hasValue(2);
        assertThat(payout.published().artifact().balances()).isEqualTo(OWED);
        assertThat(payout.snapshot().open()).isTrue();
    }

    @Test
    void aBlockAboveTheTipIsOffTheChain() {
        confirmed(101);

        assertThat(reconciled(prove(hash(100))).inactive()).isEqualTo(1);
    }

    @Test
    void aRejectedBlockThatBecameActiveIsReinstated() {
        rows.put(hash(60), new WatchedBlock(hash(60), 60, State.REJECTED));
        chain.put(60L, hash(60));

        assertThat(reconciled(prove(hash(100))).reinstated()).isEqualTo(1);
        assertThat(changes).containsExactly("reinstate 60");
    }

    @Test
    void aStrandedPreparedBlockIsRejectedOffTheChainAndOnlyReportedOnIt() {
        tipHeight = 300;
        rows.put(hash(60), new WatchedBlock(hash(60), 60, State.PREPARED));
        rows.put(hash(61), new WatchedBlock(hash(61), 61, State.PREPARED));
        chain.put(61L, hash(61));

        ReconcileSummary summary = reconciled(prove(hash(300)));

        assertThat(summary.strandedRejected()).isEqualTo(1);
        assertThat(summary.strandedCanonical()).isEqualTo(1);
        assertThat(changes).containsExactly("reject 60");
    }

    @Test
    void anUntrustedViewChangesNothing() {
        confirmed(50);
        distrust = "headers are not equal to blocks";

        assertThat(prove(hash(100))).isEqualTo(new ReconcileOutcome.Untrusted(distrust));
        assertThat(changes).isEmpty();
    }

    @Test
    void noPassRunsWhileABlockIsBeingAccounted() {
        payout.parents().landed(hash(70), 70);

        CompletableFuture<ReconcileOutcome> proof = reconciler.prove(hash(100), false);
        Awaitility.await().until(() -> {
            clock.advance(Duration.ofMillis(500));
            return proof.isDone();
        });

        assertThat(proof.join()).isInstanceOf(ReconcileOutcome.ConfirmationPending.class);
        assertThat(passes).hasValue(0);
    }

    @Test
    void aBlockThatIsAboutToBeConfirmedIsWaitedFor() {
        payout.parents().landed(hash(70), 70);
        CompletableFuture<ReconcileOutcome> proof = reconciler.prove(hash(100), false);

        payout.parents().cleared(hash(70));

        assertThat(proof.join().trusted()).isTrue();
    }

    @Test
    void aTipThatTheLandingOfABlockHasProvenNeedsNoOtherPass() throws Exception {
        BalanceSerializer.Turn turn = serializer.enter(Deadline.unbounded(clock, "test"));
        CompletableFuture<ReconcileOutcome> proof = reconciler.prove(hash(100), false);
        reconciler.proveHoldingTurn(hash(100), hash(70), Deadline.unbounded(clock, "test"));
        payout.parents().landed(hash(70), 70);
        turn.close();

        assertThat(proof.join().trusted()).isTrue();
        assertThat(passes).hasValue(1);
    }

    @Test
    void aLandingsProofThatTheDetectionOfItsTipOvertookIsMadeAgainSoThatItCounts() {
        gate = new CountDownLatch(1);
        CompletableFuture<Boolean> landing = CompletableFuture.supplyAsync(() -> {
            try {
                return reconciler
                        .proveHoldingTurn(hash(100), hash(70), Deadline.unbounded(clock, "test"))
                        .trusted();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        Awaitility.await().until(() -> passes.get() == 1);
        reconciler.keepOnly(hash(100));
        gate.countDown();

        assertThat(landing.join()).isTrue();
        assertThat(reconciler.fresh(hash(100))).isTrue();
        assertThat(passes).hasValue(2);
    }

    @Test
    void theBlockThatIsBeingAccountedDoesNotStandInItsOwnWay() throws Exception {
        payout.parents().landed(hash(70), 70);

        assertThat(reconciler
                        .proveHoldingTurn(hash(100), hash(70), Deadline.unbounded(clock, "test"))
                        .trusted())
                .isTrue();
    }

    @Test
    void aFailureAfterAChangeClosesDeliveryAndForgetsEveryProof() {
        prove(hash(100));
        assertThat(reconciler.fresh(hash(100))).isTrue();
        confirmed(50);
        failAt = "inactive 50";

        assertThatThrownBy(() -> reconciler.prove(hash(101), false).join()).hasMessageContaining("lost reply");

        assertThat(payout.snapshot().fenced()).isTrue();
        assertThat(reconciler.fresh(hash(100))).isFalse();
        assertThat(failures).hasValue(1);
    }

    @Test
    void aProvenTipNeedsNoOtherPassForFiveSecondsAndADetectionForgetsIt() {
        prove(hash(100));
        prove(hash(100));
        assertThat(passes).hasValue(1);

        clock.advance(Duration.ofSeconds(5));
        assertThat(reconciler.fresh(hash(100))).isFalse();
        prove(hash(100));
        assertThat(passes).hasValue(2);
        reconciler.keepOnly(hash(101));
        assertThat(reconciler.fresh(hash(100))).isFalse();
    }

    @Test
    void aPassThatADetectionStraddlesIsNotRemembered() {
        gate = new CountDownLatch(1);
        CompletableFuture<ReconcileOutcome> straddled = reconciler.prove(hash(100), false);
        Awaitility.await("pass under way").until(() -> passes.get() == 1);
        reconciler.keepOnly(hash(101)); // A to B
        reconciler.keepOnly(hash(100)); // and back
        gate.countDown();

        assertThat(straddled.join().trusted()).isTrue();
        assertThat(reconciler.fresh(hash(100))).isFalse();
    }

    @Test
    void callersOfTheSameTipShareOnePassAndACallerThatDetachesDoesNotStopIt() {
        gate = new CountDownLatch(1);
        CompletableFuture<ReconcileOutcome> first = reconciler.prove(hash(100), false);
        Awaitility.await("pass under way").until(() -> passes.get() == 1);
        CompletableFuture<ReconcileOutcome> second = reconciler.prove(hash(100), false);
        first.cancel(true);
        gate.countDown();

        assertThat(second.join().trusted()).isTrue();
        assertThat(passes).hasValue(1);
    }

    @Test
    void aMatureBlockThatLeftTheChainIsReportedAndNeverTouched() {
        mature = List.of(new WatchedBlock(hash(5), 5, State.CONFIRMED), new WatchedBlock(hash(6), 6, State.CONFIRMED));
        chain.put(6L, hash(6));

        prove(hash(100));

        assertThat(matureOffChain).hasValue(1);
        assertThat(changes).isEmpty();
    }

    private ReconcileOutcome prove(Hash256 tip) {
        return reconciler.prove(tip, false).join();
    }

    private static ReconcileSummary reconciled(ReconcileOutcome outcome) {
        assertThat(outcome).isInstanceOf(ReconcileOutcome.Reconciled.class);
        return ((ReconcileOutcome.Reconciled) outcome).summary();
    }

    private void confirmed(int height) {
        rows.put(hash(height), new WatchedBlock(hash(height), height, State.CONFIRMED));
    }

    private void change(String what, Hash256 hash, State to) {
        changes.add(what);
        rows.computeIfPresent(hash, (h, row) -> new WatchedBlock(h, row.height(), to));
        if (failAt.equals(what)) {
            throw new IllegalStateException("lost reply");
        }
    }

    private ReconcilePorts ports() {
        return new ReconcilePorts(nodeChain(), watched(), transitions(), new ReorgMetrics() {
            @Override
            public void failed() {
                failures.incrementAndGet();
            }

            @Override
            public void matureOffChain(int count) {
                matureOffChain.set(count);
            }
        });
    }

    private ReconcileChain nodeChain() {
        return new ReconcileChain() {
            @Override
            public Optional<String> distrust(Deadline deadline) {
                passes.incrementAndGet();
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return distrust.isEmpty() ? Optional.empty() : Optional.of(distrust);
            }

            @Override
            public long tipHeight(Deadline deadline) {
                return tipHeight;
            }

            @Override
            public Map<Long, Hash256> blocksAt(List<Long> heights, Deadline deadline) {
                Map<Long, Hash256> found = new HashMap<>(chain);
                found.keySet().retainAll(heights);
                return found;
            }
        };
    }

    private WatchedRows watched() {
        return new WatchedRows() {
            @Override
            public List<WatchedBlock> immature(Deadline deadline) {
                return rows.values().stream()
                        .filter(r -> r.state() == State.CONFIRMED || r.state() == State.INACTIVE)
                        .toList();
            }

            @Override
            public List<WatchedBlock> rejected(long aboveHeight, Deadline deadline) {
                return rows.values().stream()
                        .filter(r -> r.state() == State.REJECTED && r.height() > aboveHeight)
                        .toList();
            }

            @Override
            public List<WatchedBlock> strandedPrepared(long maxHeight, int limit, Deadline deadline) {
                return rows.values().stream()
                        .filter(r -> r.state() == State.PREPARED && r.height() <= maxHeight)
                        .limit(limit)
                        .toList();
            }

            @Override
            public List<WatchedBlock> newestMature(int limit, Deadline deadline) {
                return mature;
            }
        };
    }

    private BlockTransitions transitions() {
        return new BlockTransitions() {
            @Override
            public void markInactive(Hash256 hash, Deadline deadline) {
                change("inactive " + rows.get(hash).height(), hash, State.INACTIVE);
            }

            @Override
            public void reactivate(Hash256 hash, Deadline deadline) {
                change("reactivate " + rows.get(hash).height(), hash, State.CONFIRMED);
            }

            @Override
            public void reinstate(Hash256 hash, long height, Deadline deadline) {
                change("reinstate " + height, hash, State.CONFIRMED);
            }

            @Override
            public void rejectStranded(Hash256 hash, Deadline deadline) {
                change("reject " + rows.get(hash).height(), hash, State.REJECTED);
            }

            @Override
            public int mature(long height, Deadline deadline) {
                return 0;
            }
        };
    }

    private static Hash256 hash(int n) {
        return Hash256.ofDisplayHex(String.format("%064x", n));
    }
}
