package org.prismpool.payout.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.CancelSource;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.templates.chain.Hash256;

class PayoutStateTest {

    private static final List<PriorBalance> OWED =
            List.of(PriorBalance.of(new PayoutIdentity("a", "a", "aa".repeat(32)), BigInteger.TEN));

    private final MonotonicClock clock = MonotonicClock.system();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final AtomicLong publishNanos = new AtomicLong(-1);
    private final ExecutorService publisher = Executors.newSingleThreadExecutor();
    private volatile List<PriorBalance> ledger = List.of();
    private volatile CountDownLatch ledgerGate = new CountDownLatch(0);
    private final PayoutState state = new PayoutState(
            new PayoutStateConfig(Duration.ofSeconds(5), 8, 8, Duration.ofMillis(200), PreparedWindowConfig.DEFAULT),
            new PayoutStatePorts(this::read, (height, deadline) -> Optional.empty(), listener(), metrics()),
            clock);

    @AfterEach
    void stop() {
        publisher.shutdownNow();
    }

    @Test
    void nothingIsAdmittedBeforeTheFirstPublication() {
        assertThat(state.tryAdmit(0, GateCaller.PRIORITY, false, 0).verdict()).isEqualTo(GateVerdict.FENCED);
    }

    @Test
    void theFirstPublicationOpensGenerationOneWithTheLedgersBalances() throws Exception {
        ledger = OWED;

        publish();

        assertThat(state.published().generation()).isEqualTo(1);
        assertThat(state.published().artifact().balances()).isEqualTo(OWED);
        assertThat(state.snapshot().open()).isTrue();
        assertThat(events).containsExactly("swapping 1", "published 1");
    }

    @Test
    void theDigestOfNoBalancesIsTheOneOfTheContract() {
        assertThat(BalanceArtifact.EMPTY.digest())
                .isEqualTo("4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945");
    }

    @Test
    void aPublicationWaitsForThreeSendsInFlightAdmitsNobodyMeanwhileAndDoesNotCountTheWait() throws Exception {
        publish();
        List<GateTicket> sends = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            sends.add(state.tryAdmit(1, GateCaller.PRIORITY, false, clock.nanoTime())
                    .ticket()
                    .orElseThrow());
        }
        state.invalidate(Hash256.ZERO, PayoutCause.PAYOUT_ONLY);
        CompletableFuture<PublishOutcome> publication =
                CompletableFuture.supplyAsync(this::publishUnchecked, publisher);
        Awaitility.await("draining").until(() -> state.snapshot().publishing());

        assertThat(state.tryAdmit(1, GateCaller.PRIORITY, false, 0).verdict()).isEqualTo(GateVerdict.WAIT_PUBLISHER);
        sends.get(0).close();
        sends.get(1).delivered();
        assertThat(publication).isNotDone();
        long lastEnds = System.nanoTime();
        sends.get(2).close();

        assertThat(publication.get()).isInstanceOf(PublishOutcome.Published.class);
        assertThat(publishNanos.get()).isLessThanOrEqualTo(System.nanoTime() - lastEnds);
        assertThat(state.published().generation()).isEqualTo(2);
    }

    @Test
    void aSocketFailureOfTheFirstDeliveryKeepsTheReservationForTheNextPriorityDelivery() throws Exception {
        publish();
        assertThat(state.tryAdmit(1, GateCaller.ROUTINE, false, 0).verdict()).isEqualTo(GateVerdict.RESERVED);

        state.tryAdmit(1, GateCaller.PRIORITY, false, 0).ticket().orElseThrow().close();
        assertThat(state.tryAdmit(1, GateCaller.ROUTINE, false, 0).verdict()).isEqualTo(GateVerdict.RESERVED);

        state.tryAdmit(1, GateCaller.PRIORITY, false, 0).ticket().orElseThrow().delivered();
        assertThat(state.tryAdmit(1, GateCaller.ROUTINE, false, 0).admitted()).isTrue();
    }

    @Test
    void aSynchronizationAdmissionNeverUsesUpTheFirstDelivery() throws Exception {
        publish();

        state.tryAdmit(1, GateCaller.SYNCHRONIZATION, false, 0)
                .ticket()
                .orElseThrow()
                .delivered();

        assertThat(state.tryAdmit(1, GateCaller.ROUTINE, false, 0).verdict()).isEqualTo(GateVerdict.RESERVED);
    }

    @Test
    void aTicketCountsOnceHoweverOftenItIsClosed() throws Exception {
        publish();
        GateTicket ticket =
                state.tryAdmit(1, GateCaller.PRIORITY, false, 0).ticket().orElseThrow();
        ticket.delivered();
        ticket.close();
        ticket.delivered();

        assertThat(state.snapshot().activeDeliveries()).isZero();
    }

    @Test
    void currentDeliveriesGoOnWhileTheLedgerIsRead() throws Exception {
        publish();
        state.tryAdmit(1, GateCaller.PRIORITY, false, 0).ticket().orElseThrow().delivered();
        ledgerGate = new CountDownLatch(1);
        state.invalidate(Hash256.ZERO, PayoutCause.PAYOUT_ONLY);
        CompletableFuture<PublishOutcome> slow = CompletableFuture.supplyAsync(this::publishUnchecked, publisher);
        Awaitility.await("reading").until(() -> events.contains("reading"));

        assertThat(state.tryAdmit(1, GateCaller.ROUTINE, false, 0).admitted()).isTrue();
        ledgerGate.countDown();
        state.snapshot();
        assertThat(slow).isNotNull();
    }

    @Test
    void aCandidateOfAnOlderSourceIsDiscarded() throws Exception {
        publish();
        PayoutCandidate old = state.candidate();
        state.invalidate(Hash256.ZERO, PayoutCause.RECONCILIATION);

        assertThat(state.publish(old, deadline(), CancelSignal.never())).isInstanceOf(PublishOutcome.Superseded.class);
        assertThat(state.published().generation()).isEqualTo(1);
    }

    @Test
    void fencingIsANoOpWhileTheSourcesMatch() throws Exception {
        publish();

        assertThat(state.fence(false)).isFalse();
        state.invalidate(Hash256.ZERO, PayoutCause.EXTERNAL_TIP);
        assertThat(state.fence(false)).isTrue();
    }

    @Test
    void aReplayThatChangedNothingPublishesNothingButALeakedFenceIsHealed() throws Exception {
        publish();
        assertThat(state.publishCurrent(false, deadline(), CancelSignal.never()))
                .isInstanceOf(PublishOutcome.Unchanged.class);

        state.fence(true);

        assertThat(state.publishCurrent(false, deadline(), CancelSignal.never()))
                .isInstanceOf(PublishOutcome.Published.class);
        assertThat(state.snapshot().open()).isTrue();
    }

    @Test
    void aFailedPreparationKeepsTheFenceClosedAndWantsARefresh() throws Exception {
        publish();
        state.invalidate(Hash256.ZERO, PayoutCause.RECONCILIATION);
        ledger = null;

        assertThat(state.publishCurrent(true, deadline(), CancelSignal.never()))
                .isInstanceOf(PublishOutcome.NotPrepared.class);

        assertThat(state.snapshot().fenced()).isTrue();
        assertThat(events).contains("refresh payout_preparation_failed");
    }

    @Test
    void aPublisherGivesUpOnADeliveryThatNeverEnds() throws Exception {
        publish();
        GateTicket stuck =
                state.tryAdmit(1, GateCaller.PRIORITY, false, 0).ticket().orElseThrow();
        state.invalidate(Hash256.ZERO, PayoutCause.PAYOUT_ONLY);

        PublishOutcome outcome =
                state.publishCurrent(true, Deadline.after(Duration.ofMillis(150), clock, "test"), CancelSignal.never());

        assertThat(outcome).isInstanceOf(PublishOutcome.GateTimedOut.class);
        assertThat(state.snapshot().fenced()).isTrue();
        stuck.close();
        assertThat(state.publishCurrent(true, deadline(), CancelSignal.never()).current())
                .isTrue();
    }

    @Test
    void aBlockedAdmissionEndsWithItsCancellation() throws Exception {
        publish();
        CancelSource cancel = new CancelSource();
        CompletableFuture<GateAdmission> future = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return state.admit(2, GateCaller.PRIORITY, deadline(), cancel);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                publisher);

        cancel.cancel("client gone");

        assertThat(future.get().verdict()).isEqualTo(GateVerdict.CANCELLED);
    }

    @Test
    void aDeliveryOfTheNextGenerationIsAdmittedAsSoonAsItIsPublished() throws Exception {
        publish();
        CompletableFuture<GateAdmission> next = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return state.admit(2, GateCaller.PRIORITY, deadline(), CancelSignal.never());
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                publisher);

        state.invalidate(Hash256.ZERO, PayoutCause.PAYOUT_ONLY);
        publish();

        assertThat(next.get().admitted()).isTrue();
    }

    @Test
    void theSamePreviewTwiceIsOneGenerationAndAnotherOneIsAnError() throws Exception {
        publish();
        Hash256 block = hash(10);
        state.parents().landed(block, 10);

        assertThat(preview(block, OWED)).isEqualTo(PreviewOutcome.PUBLISHED);
        assertThat(preview(block, OWED)).isEqualTo(PreviewOutcome.ALREADY_PUBLISHED);
        assertThat(preview(block, List.of())).isEqualTo(PreviewOutcome.CONFLICT);
        assertThat(state.published().generation()).isEqualTo(2);
    }

    @Test
    void aPreviewThatCannotBePublishedIsStillKnownToChildrenAndDeliveryStaysFenced() throws Exception {
        publish();
        GateTicket stuck =
                state.tryAdmit(1, GateCaller.PRIORITY, false, 0).ticket().orElseThrow();
        Hash256 block = hash(10);
        state.parents().landed(block, 10);
        state.parents().replayEnumerated();

        PreviewOutcome outcome = state.publishPreview(
                block, OWED, Deadline.after(Duration.ofMillis(100), clock, "test"), CancelSignal.never());

        assertThat(outcome).isEqualTo(PreviewOutcome.DEGRADED);
        assertThat(state.snapshot().fenced()).isTrue();
        assertThat(state.parents().balancesFor(block, 10, deadline(), CancelSignal.never()))
                .isEqualTo(new ParentBalances.Preview(block, OWED));
        stuck.close();
        assertThat(preview(block, OWED)).isEqualTo(PreviewOutcome.PUBLISHED);
        assertThat(state.snapshot().open()).isTrue();
    }

    @Test
    void whileABlockIsAccountedItsPreviewIsPublishedAndNeverTheLedgerWithoutIt() throws Exception {
        publish();
        Hash256 block = hash(10);
        state.parents().landed(block, 10);
        state.invalidate(hash(11), PayoutCause.EXTERNAL_TIP);
        assertThat(state.publishCurrent(true, deadline(), CancelSignal.never()))
                .isInstanceOf(PublishOutcome.ParentPending.class);

        preview(block, OWED);
        state.fence(true);
        state.publishCurrent(true, deadline(), CancelSignal.never());

        assertThat(state.published().artifact().balances()).isEqualTo(OWED);
    }

    @Test
    void aWithdrawalForcesANewSourceAndARestorationPublishesThePreviewAgain() throws Exception {
        publish();
        Hash256 block = hash(10);
        state.parents().landed(block, 10);
        preview(block, OWED);

        Optional<ParentTransition> before = state.withdraw(block, hash(11));
        assertThat(state.snapshot().fenced()).isTrue();
        assertThat(state.parents().transition(block).orElseThrow().phase()).isEqualTo(ParentPhase.WITHDRAWN);

        state.restore(before.orElseThrow(), deadline(), CancelSignal.never());

        assertThat(state.snapshot().open()).isTrue();
        assertThat(state.published().artifact().balances()).isEqualTo(OWED);
    }

    @Test
    void aRepairChangesTheDigestOnly() throws Exception {
        publish();

        assertThat(state.repair(1, OWED)).isTrue();
        assertThat(state.repair(7, OWED)).isFalse();

        assertThat(state.published().generation()).isEqualTo(1);
        assertThat(state.published().artifact()).isEqualTo(BalanceArtifact.of(OWED));
    }

    private PreviewOutcome preview(Hash256 block, List<PriorBalance> balances) throws InterruptedException {
        return state.publishPreview(block, balances, deadline(), CancelSignal.never());
    }

    private void publish() throws InterruptedException {
        assertThat(state.publishCurrent(true, deadline(), CancelSignal.never()).current())
                .isTrue();
    }

    private PublishOutcome publishUnchecked() {
        try {
            return state.publishCurrent(true, deadline(), CancelSignal.never());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<PriorBalance> read(Deadline deadline, CancelSignal cancel) {
        events.add("reading");
        try {
            ledgerGate.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (ledger == null) {
            throw new IllegalStateException("ledger down");
        }
        return ledger;
    }

    private PayoutEvents listener() {
        return new PayoutEvents() {
            @Override
            public void swapping(PublishedPayout next) {
                events.remove("reading");
                events.add("swapping " + next.generation());
            }

            @Override
            public void published(PublishedPayout published) {
                events.add("published " + published.generation());
            }

            @Override
            public void refreshWanted(String reason) {
                events.add("refresh " + reason);
            }
        };
    }

    private PayoutStateMetrics metrics() {
        return new PayoutStateMetrics() {
            @Override
            public void publish(long nanos) {
                publishNanos.set(nanos);
            }
        };
    }

    private Deadline deadline() {
        return Deadline.after(Duration.ofSeconds(10), clock, "test");
    }

    private static Hash256 hash(int n) {
        return Hash256.ofDisplayHex(String.format("%064x", n));
    }
}
