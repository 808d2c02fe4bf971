package org.prismpool.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.CancelSource;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.payout.state.AppendTicket;
import org.prismpool.payout.state.PayoutCause;
import org.prismpool.payout.state.RowStamp;
import org.prismpool.payout.window.PayoutIdentity;
import org.prismpool.templates.TemplateObservation;
import org.prismpool.templates.chain.Hash256;

class BundleServiceTest {

    private SmallPool pool = new SmallPool();

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void aReadyBundlePaysTheWholeWindowOnExactlyTheTemplateThatWasAskedFor() {
        TemplateObservation template = pool.template();

        WorkBundle bundle = pool.publication(template).join();

        assertThat(bundle.template()).isSameAs(template);
        assertThat(bundle.collectionOnly()).isFalse();
        assertThat(bundle.work().height()).isEqualTo(101);
        assertThat(bundle.coinbase().manifest().outputs())
                .extracting(o -> o.amountSats())
                .as("3 of 5 and 2 of 5 shares of 50 coins")
                .containsExactlyInAnyOrder(3_000_000_000L, 2_000_000_000L);
        assertThat(bundle.inputs().shares()).hasSize(5);
        assertThat(bundle.foundBlock().anchorJobIssuedAtMs()).isEqualTo(SmallPool.NOW_MS - 1);
        assertThat(bundle.payoutGeneration()).isEqualTo(pool.payout.published().generation());
        assertThat(bundle.work().coinbase().coinb1Hex()).endsWith("2f505249534d2f");
    }

    @Test
    void aCollectionBundlePaysItsWorkerAlone() {
        pool.ready = false;

        WorkBundle bundle = pool.initial(pool.template(), SmallPool.ALICE).join();

        assertThat(bundle.collectionOnly()).isTrue();
        assertThat(bundle.identity()).contains(SmallPool.ALICE);
        assertThat(bundle.inputs().shares()).singleElement().satisfies(share -> {
            assertThat(share.shareId()).isEqualTo("bootstrap-share");
            assertThat(share.jobId()).isEqualTo("bootstrap-job");
            assertThat(share.ntime()).isEqualTo(1_700_000_100L);
            assertThat(share.templateHeight()).isEqualTo(100);
        });
        assertThat(bundle.coinbase().manifest().outputs())
                .singleElement()
                .satisfies(output -> assertThat(output.amountSats()).isEqualTo(5_000_000_000L));
        assertThat(pool.windowReads).hasValue(0);
    }

    @Test
    void collectionWorkWithoutAnIdentityIsATemporaryFailure() {
        pool.ready = false;

        assertThat(failure(pool.publication(pool.template()))).isEqualTo(BundleFailure.IDENTITY_UNAVAILABLE);
    }

    @Test
    void anEmptyWindowBlocksReadyWork() {
        pool.shares = List.of();

        assertThat(failure(pool.publication(pool.template()))).isEqualTo(BundleFailure.BLOCKED);
    }

    @Test
    void twoHundredAndFiftyFirstJobsOnAColdCacheShareOneBuild() {
        TemplateObservation template = pool.template();
        pool.compiler.hold();
        List<CompletableFuture<WorkBundle>> jobs = new ArrayList<>();
        for (int i = 0; i < 250; i++) {
            jobs.add(pool.initial(template, SmallPool.ALICE));
        }
        Awaitility.await("the build").until(() -> pool.compiler.entered.get() == 1);
        pool.compiler.open();

        jobs.forEach(job -> assertThat(job.join().template()).isSameAs(template));

        assertThat(pool.compiler.entered).hasValue(1);
        assertThat(pool.windowReads).hasValue(1);
    }

    @Test
    void aCachedBundleIsServedWhilePublicationWorkRuns() {
        TemplateObservation cached = pool.template();
        pool.publication(cached).join();
        pool.compiler.hold();
        CompletableFuture<WorkBundle> publication = pool.publication(pool.template(2, 2, 1_700_000_200L));
        Awaitility.await("priority build").until(() -> pool.compiler.entered.get() == 2);

        WorkBundle first = pool.initial(cached, SmallPool.ALICE).join();

        assertThat(first.template()).isSameAs(cached);
        assertThat(publication).isNotDone();
        assertThat(pool.initials.get(BundleMetrics.Initial.CACHE_HIT)).hasValue(1);
    }

    @Test
    void aFirstJobWithoutCachedWorkSubscribesToThePublicationAndNothingElseIsBuilt() {
        TemplateObservation template = pool.template();
        pool.compiler.hold();
        CompletableFuture<WorkBundle> publication = pool.publication(template);
        Awaitility.await("priority build").until(() -> pool.compiler.entered.get() == 1);

        CompletableFuture<WorkBundle> first = pool.initial(template, SmallPool.ALICE);
        Awaitility.await("subscription")
                .until(() -> pool.initials.get(BundleMetrics.Initial.SUBSCRIBED).get() == 1);
        pool.compiler.open();

        assertThat(first.join().template()).isSameAs(template);
        assertThat(publication.join().template()).isSameAs(template);
        assertThat(pool.compiler.entered).hasValue(1);
    }

    @Test
    void aRoutineRequestBehindAHangingPublicationFailsAtTheAdmissionDeadline() {
        pool.close();
        pool = new SmallPool(withRoutineDeadline(Duration.ofMillis(300)));
        TemplateObservation template = pool.template();
        pool.compiler.hold();
        CompletableFuture<WorkBundle> publication = pool.publication(template);
        Awaitility.await("priority build").until(() -> pool.compiler.entered.get() == 1);

        assertThat(failure(pool.initial(template, SmallPool.ALICE))).isEqualTo(BundleFailure.ADMISSION_DEADLINE);

        assertThat(pool.initials.get(BundleMetrics.Initial.ADMISSION_DEADLINE)).hasValue(1);
        assertThat(publication).isNotDone();
    }

    @Test
    void aReservationCancelsRoutinePreparationAndHoldsNewOnesBack() {
        TemplateObservation template = pool.template();
        PriorityReservation reservation = pool.service.reserve();
        CompletableFuture<WorkBundle> routine = pool.initial(template, SmallPool.ALICE);
        Awaitility.await("parked").until(() -> pool.service.status().parked() == 1);
        assertThat(pool.compiler.entered).hasValue(0);

        reservation.close();

        assertThat(routine.join().template()).isSameAs(template);
    }

    @Test
    void aReservationCancelsTheRoutinePreparationThatIsUnderWay() throws Exception {
        CountDownLatch preparing = new CountDownLatch(1);
        CompletableFuture<String> cancelled = new CompletableFuture<>();
        pool.beforePolicy = cancel -> {
            preparing.countDown();
            cancel.onCancel(() -> cancelled.complete(cancel.reason().orElse("")));
            cancelled.join(); // as a slow preparation would: it ends with its cancellation only
            cancel.throwIfCancelled();
        };
        TemplateObservation template = pool.template();
        CompletableFuture<WorkBundle> routine = pool.initial(template, SmallPool.ALICE);
        assertThat(preparing.await(30, TimeUnit.SECONDS)).isTrue();

        PriorityReservation reservation = pool.service.reserve();

        assertThat(cancelled.orTimeout(30, TimeUnit.SECONDS).join()).isEqualTo("publication priority");
        Awaitility.await("parked").until(() -> pool.service.status().parked() == 1);
        assertThat(routine).isNotDone();
        assertThat(pool.compiler.entered).hasValue(0);
        pool.beforePolicy = cancel -> {};
        reservation.close();
        assertThat(routine.join().template()).isSameAs(template);
    }

    @Test
    void aPublicationStartsAtOnceInAStormOfSixHundredAndFortyFirstJobs() {
        long fastestNanos = Long.MAX_VALUE;
        for (int round = 1; round <= 5; round++) {
            TemplateObservation old = pool.template(2 * round, 2 * round, 1_700_000_100L);
            TemplateObservation tip = pool.template(2 * round + 1, 2 * round + 1, 1_700_000_130L);
            pool.compiler.hold();
            int before = pool.compiler.entered.get();
            List<CompletableFuture<WorkBundle>> storm = new ArrayList<>();
            for (int i = 0; i < 640; i++) {
                storm.add(pool.initial(old, SmallPool.ALICE));
            }
            Awaitility.await("the storm's one build").until(() -> pool.compiler.entered.get() == before + 1);

            long asked = System.nanoTime();
            CompletableFuture<WorkBundle> publication = pool.publication(tip);
            Awaitility.await("the publication's build")
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> pool.compiler.entered.get() == before + 2);
            fastestNanos = Math.min(fastestNanos, System.nanoTime() - asked);

            pool.compiler.open();
            assertThat(publication.join().template()).isSameAs(tip);
            assertThat(pool.service.status().active()).isLessThanOrEqualTo(2);
            storm.forEach(request -> request.exceptionally(late -> null).join());
        }

        assertThat(Duration.ofNanos(fastestNanos)).isLessThan(Duration.ofMillis(100));
    }

    @Test
    void aClockOnlyTemplateSharesTheRunningReadyBuildAndGetsItsOwnTime() {
        TemplateObservation older = pool.template(1, 1, 1_700_000_100L);
        TemplateObservation newer = pool.template(1, 2, 1_700_000_130L);
        pool.compiler.hold();
        CompletableFuture<WorkBundle> first = pool.publication(older);
        Awaitility.await("build").until(() -> pool.compiler.entered.get() == 1);
        CompletableFuture<WorkBundle> second = pool.publication(newer);
        Awaitility.await("joined")
                .until(() ->
                        pool.priorities.get(BundleMetrics.Priority.COALESCED).get() == 1);
        pool.compiler.open();

        assertThat(first.join().work().ntime()).isEqualTo(1_700_000_100L);
        assertThat(second.join().work().ntime()).isEqualTo(1_700_000_130L);
        assertThat(second.join().template()).isSameAs(newer);
        assertThat(second.join().coinbase()).isEqualTo(first.join().coinbase());
        assertThat(pool.compiler.entered).hasValue(1);
    }

    @Test
    void aClockOnlyTemplateRebuildsCollectionWork() {
        pool.ready = false;
        pool.initial(pool.template(1, 1, 1_700_000_100L), SmallPool.ALICE).join();

        WorkBundle newer = pool.initial(pool.template(1, 2, 1_700_000_130L), SmallPool.ALICE)
                .join();

        assertThat(newer.inputs().shares().get(0).ntime()).isEqualTo(1_700_000_130L);
        assertThat(pool.compiler.entered).hasValue(2);
    }

    @Test
    void twoCollectionWorkersBothGetTheirWork() {
        pool.ready = false;
        TemplateObservation template = pool.template();
        pool.compiler.hold();
        CompletableFuture<WorkBundle> alice = pool.initial(template, SmallPool.ALICE);
        Awaitility.await("first").until(() -> pool.compiler.entered.get() == 1);
        CompletableFuture<WorkBundle> bob = pool.initial(template, SmallPool.BOB);
        Awaitility.await("second").until(() -> pool.compiler.entered.get() == 2);
        pool.compiler.open();

        assertThat(alice.join().identity()).contains(SmallPool.ALICE);
        assertThat(bob.join().identity()).contains(SmallPool.BOB);
    }

    @Test
    void aNewerTipCancelsTheBuildOfTheOlderOne() {
        TemplateObservation a = pool.template(1, 1, 1_700_000_100L);
        TemplateObservation b = pool.template(2, 2, 1_700_000_101L);
        pool.compiler.hold();
        CompletableFuture<WorkBundle> forA = pool.publication(a);
        Awaitility.await("build of A").until(() -> pool.compiler.entered.get() == 1);

        CompletableFuture<WorkBundle> forB = pool.publication(b);

        assertThat(failure(forA)).isEqualTo(BundleFailure.SUPERSEDED);
        Awaitility.await("build of B").until(() -> pool.compiler.entered.get() == 2);
        pool.compiler.open();
        assertThat(forB.join().template()).isSameAs(b);
    }

    @Test
    void underEndlessTipsAtMostTwoBuildsRunAndTheNewestIsDelivered() {
        pool.compiler.hold();
        List<CompletableFuture<WorkBundle>> futures = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            futures.add(pool.publication(pool.template(i, i, 1_700_000_100L + i)));
            assertThat(pool.service.status().active()).isLessThanOrEqualTo(2);
            assertThat(pool.service.status().pending()).isLessThanOrEqualTo(1);
        }
        pool.compiler.open();

        assertThat(futures.get(19).join().work().parent()).isEqualTo(Hash256.ofDisplayHex(String.format("%064x", 20)));
    }

    @Test
    void theClosedFenceEmptiesTheCacheCancelsBuildsAndRefusesNewOnes() {
        TemplateObservation template = pool.template();
        pool.publication(template).join();
        assertThat(pool.service.probe(template, Optional.empty())).isPresent();
        pool.compiler.hold();
        CompletableFuture<WorkBundle> running = pool.publication(pool.template(2, 2, 1_700_000_101L));
        Awaitility.await("build").until(() -> pool.compiler.entered.get() == 2);

        pool.payout.supersede(Hash256.ZERO, PayoutCause.RECONCILIATION);

        assertThat(failure(running)).isEqualTo(BundleFailure.SUPERSEDED);
        assertThat(pool.service.probe(template, Optional.empty())).isEmpty();
        assertThat(failure(pool.publication(template))).isEqualTo(BundleFailure.PAYOUT_PENDING);
    }

    @Test
    void aPayoutPublicationDuringABuildSupersedesItAndTheNextOneUsesTheNewBalances() {
        TemplateObservation template = pool.template();
        pool.compiler.hold();
        CompletableFuture<WorkBundle> old = pool.publication(template);
        Awaitility.await("build").until(() -> pool.compiler.entered.get() == 1);
        pool.balances = List.of(
                PriorBalance.of(new PayoutIdentity("alice", "alice", "aa".repeat(32)), BigInteger.valueOf(100_000)));
        pool.payout.invalidate(Hash256.ZERO, PayoutCause.PAYOUT_ONLY);
        pool.publish();
        pool.compiler.open();

        assertThat(failure(old)).isEqualTo(BundleFailure.SUPERSEDED);
        WorkBundle rebuilt = pool.publication(template).join();
        assertThat(rebuilt.payoutGeneration()).isEqualTo(2);
        assertThat(rebuilt.inputs().priorBalances()).isEqualTo(pool.balances);
    }

    @Test
    void aShareCommittedBelowTheAnchorMakesTheBundleStale() throws InterruptedException {
        TemplateObservation template = pool.template();
        pool.publication(template).join();

        try (AppendTicket ticket = pool.payout.appends().begin(List.of(new RowStamp(1, 1)))) {
            ticket.committed();
        }

        assertThat(pool.service.probe(template, Optional.empty())).isEmpty();
        assertThat(pool.publication(template).join().appendEpoch()).isEqualTo(1);
        assertThat(pool.compiler.entered).hasValue(2);
    }

    @Test
    void aRepairOfTheBalancesStopsTheServingOfOldBundlesAlthoughTheGenerationStays() {
        TemplateObservation template = pool.template();
        pool.publication(template).join();

        pool.payout.repair(
                pool.payout.published().generation(),
                List.of(PriorBalance.of(new PayoutIdentity("alice", "alice", "aa".repeat(32)), BigInteger.TEN)));

        assertThat(pool.service.probe(template, Optional.empty())).isEmpty();
    }

    @Test
    void theWindowOfABuildServesTheNextTemplateWithoutAnotherRead() {
        pool.publication(pool.template(1, 1, 1_700_000_100L)).join();

        WorkBundle next = pool.publication(pool.template(2, 2, 1_700_000_101L)).join();

        assertThat(pool.windowReads).hasValue(1);
        assertThat(next.key().payout().windowGeneration()).isEqualTo(1);
    }

    @Test
    void aWindowOlderThanTheCeilingIsReadAgain() {
        pool.publication(pool.template(1, 1, 1_700_000_100L)).join();
        pool.nowMs.addAndGet(301_000);

        pool.publication(pool.template(2, 2, 1_700_000_401L)).join();

        assertThat(pool.windowReads).hasValue(2);
    }

    @Test
    void aChildOfAPendingOwnBlockStartsFromItsPreview() throws InterruptedException {
        Hash256 own = Hash256.ofDisplayHex(String.format("%064x", 1));
        List<PriorBalance> after =
                List.of(PriorBalance.of(new PayoutIdentity("alice", "alice", "aa".repeat(32)), BigInteger.valueOf(77)));
        pool.payout.parents().landed(own, 100);
        pool.payout.publishPreview(own, after, pool.deadline(), CancelSignal.never());

        WorkBundle child = pool.publication(pool.template()).join();

        assertThat(child.inputs().priorBalances()).isEqualTo(after);
        assertThat(child.payoutGeneration()).isEqualTo(2);
    }

    @Test
    void aCallerThatLeavesAloneCancelsItsBuildAndOneAmongOthersDoesNot() {
        TemplateObservation template = pool.template();
        CancelSource leaving = new CancelSource();
        pool.compiler.hold();
        CompletableFuture<WorkBundle> mine = pool.service.request(
                BundleRequest.publication(template, pool.clock.nanoTime()), pool.deadline(), leaving);
        Awaitility.await("build").until(() -> pool.compiler.entered.get() == 1);
        CompletableFuture<WorkBundle> other = pool.publication(template);
        Awaitility.await("joined")
                .until(() ->
                        pool.priorities.get(BundleMetrics.Priority.COALESCED).get() == 1);

        leaving.cancel("newer tip");

        assertThat(failure(mine)).isEqualTo(BundleFailure.CANCELLED);
        pool.compiler.open();
        assertThat(other.join().template()).isSameAs(template);

        CancelSource alone = new CancelSource();
        pool.compiler.hold();
        CompletableFuture<WorkBundle> last = pool.service.request(
                BundleRequest.publication(pool.template(3, 3, 1_700_000_200L), pool.clock.nanoTime()),
                pool.deadline(),
                alone);
        Awaitility.await("second build").until(() -> pool.compiler.entered.get() == 2);
        alone.cancel("newer tip");
        assertThat(failure(last)).isEqualTo(BundleFailure.CANCELLED);
        Awaitility.await("compile stopped").until(() -> pool.compiler.cancelled.get() == 1);
    }

    @Test
    void aBuildThatDoesNotStopIsDisownedAfterItsTimeAndTwoOfThemAreReportedAsStuck() {
        pool.close();
        pool = new SmallPool(withBuildTimeout(Duration.ofMillis(200)));
        pool.compiler.deaf = true;
        pool.compiler.hold();

        CompletableFuture<WorkBundle> first = pool.publication(pool.template(1, 1, 1_700_000_100L));
        Awaitility.await("first compile").until(() -> pool.compiler.entered.get() == 1);
        CompletableFuture<WorkBundle> second = pool.publication(pool.template(2, 2, 1_700_000_101L));
        Awaitility.await("second compile").until(() -> pool.compiler.entered.get() == 2);

        assertThat(failure(first)).isIn(BundleFailure.PHASE_TIMEOUT, BundleFailure.SUPERSEDED);
        assertThat(failure(second)).isEqualTo(BundleFailure.PHASE_TIMEOUT);
        Awaitility.await("stuck").until(() -> pool.service.status().stuck());
    }

    @Test
    void anIdleRetargetIsRefusedWhileADetectedTipIsUnpublished() {
        pool.tipUnpublished = true;

        CompletableFuture<WorkBundle> retarget = pool.service.request(
                BundleRequest.routine(pool.template(), SmallPool.ALICE, true, pool.clock.nanoTime()),
                pool.deadline(),
                CancelSignal.never());

        assertThat(failure(retarget)).isEqualTo(BundleFailure.SUPERSEDED);
        assertThat(pool.buildCounts.get(BundleMetrics.Build.REQUESTS)).hasValue(0);
    }

    @Test
    void closingFailsEveryOpenRequest() {
        pool.compiler.hold();
        CompletableFuture<WorkBundle> open = pool.publication(pool.template());
        Awaitility.await("build").until(() -> pool.compiler.entered.get() == 1);

        pool.service.close();

        assertThat(failure(open)).isEqualTo(BundleFailure.SHUTDOWN);
    }

    private static BundleConfig withRoutineDeadline(Duration deadline) {
        BundleConfig d = BundleConfig.DEFAULT;
        return new BundleConfig(
                d.buildTimeout(),
                d.cancelGrace(),
                d.workers(),
                d.cacheTtl(),
                d.cacheEntries(),
                deadline,
                d.preparationThreads(),
                d.preparationQueue(),
                d.extranonce2Size(),
                d.reanchor(),
                d.maxAnchorAge());
    }

    private static BundleConfig withBuildTimeout(Duration timeout) {
        BundleConfig d = BundleConfig.DEFAULT;
        return new BundleConfig(
                timeout,
                d.cancelGrace(),
                d.workers(),
                d.cacheTtl(),
                d.cacheEntries(),
                d.routineAdmissionDeadline(),
                d.preparationThreads(),
                d.preparationQueue(),
                d.extranonce2Size(),
                d.reanchor(),
                d.maxAnchorAge());
    }

    private static BundleFailure failure(CompletableFuture<WorkBundle> future) {
        CompletionException failed = catchThrowableOfType(CompletionException.class, future::join);
        assertThat(failed.getCause()).isInstanceOf(BundleException.class);
        return ((BundleException) failed.getCause()).failure();
    }
}
