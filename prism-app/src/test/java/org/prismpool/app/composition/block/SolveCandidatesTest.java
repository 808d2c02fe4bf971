package org.prismpool.app.composition.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.executor.BoundedPriorityExecutor;
import org.prismpool.lifecycle.executor.ExecutorConfig;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.sharewriter.AnchorFloor;
import org.prismpool.sharewriter.OutboxIntent;
import org.prismpool.sharewriter.block.CandidateOutboxRows;
import org.prismpool.stratum.AcceptedShare;
import org.prismpool.stratum.BlockSolve;
import org.prismpool.stratum.JobContext;
import org.prismpool.stratum.JobDifficulty;
import org.prismpool.stratum.LandingResult;
import org.prismpool.stratum.SessionEpoch;
import org.prismpool.stratum.SharedWork;
import org.prismpool.stratum.Submission;
import org.prismpool.stratum.WorkLabels;
import org.prismpool.stratum.WorkerIdentity;
import org.prismpool.templates.block.BlockCandidate;
import org.prismpool.templates.block.BlockSpool;
import org.prismpool.templates.block.CandidateAccounting;
import org.prismpool.templates.block.CandidateLane;
import org.prismpool.templates.block.CandidateMetrics;
import org.prismpool.templates.block.CandidateOutbox;
import org.prismpool.templates.block.CandidatePorts;
import org.prismpool.templates.block.ChildBarrier;
import org.prismpool.templates.block.LaneAlarms;
import org.prismpool.templates.block.LaneConfig;
import org.prismpool.templates.block.OfferView;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Target;
import org.prismpool.templates.job.WorkTemplate;
import org.prismpool.templates.rpc.NodeRpc;

class SolveCandidatesTest {

    private static final Hash256 HASH = Hash256.ofDisplayHex("ab".repeat(32));
    private static final Hash256 PARENT = Hash256.ofDisplayHex("cd".repeat(32));

    private final ManualClock clock = new ManualClock();
    private final CandidateOutboxRows rows = mock(CandidateOutboxRows.class);
    private final OfferView view = mock(OfferView.class);
    private final PreparedSolves committed = new PreparedSolves();
    private final CreditHolds credits = new CreditHolds(new AnchorFloor(() -> 1_700_000_000_000L, clock));
    private final BoundedPriorityExecutor workers =
            BoundedPriorityExecutor.start(ExecutorConfig.of("prism-app-solve-test", 1, 1));
    private final CandidateLane lane = new CandidateLane(
            LaneConfig.DEFAULTS,
            new CandidatePorts(
                    mock(NodeRpc.class),
                    List.of(),
                    mock(CandidateAccounting.class),
                    mock(CandidateOutbox.class),
                    mock(BlockSpool.class),
                    mock(ChildBarrier.class),
                    view,
                    mock(LaneAlarms.class),
                    mock(CandidateMetrics.class)),
            clock);
    private final SolveCandidates candidates =
            new SolveCandidates(lane, rows, committed, credits, view, workers, Duration.ofSeconds(1), clock);

    @AfterEach
    void close() {
        workers.close();
        lane.close();
    }

    /** A solve whose work was built by somebody else, so that its intent cannot be made. */
    private static BlockSolve unpreparable() {
        WorkTemplate template = mock(WorkTemplate.class);
        when(template.parent()).thenReturn(PARENT);
        JobContext job = new JobContext(
                "prism-1",
                new SessionEpoch(1, 1, 0),
                new WorkerIdentity("address.rig", "address", Optional.of("rig"), "aa".repeat(32)),
                1,
                new SharedWork(template, WorkLabels.NONE),
                new JobDifficulty(BigDecimal.ONE, BigDecimal.ONE, 1, mock(Target.class), true, BigInteger.ONE),
                0x20000000,
                0,
                0);
        return new BlockSolve(new AcceptedShare(new Submission(job, 1, 1, 1, 0, HASH), 1, Optional.empty()), true);
    }

    private static Solves.Prepared prepared() {
        BlockCandidate candidate =
                new BlockCandidate(HASH, PARENT, 7, "00", "00", "{}", BlockCandidate.ShareCredit.COMMITTED);
        return new Solves.Prepared(candidate, new OutboxIntent(HASH.displayHex(), "{}", "00".repeat(32)));
    }

    @Test
    void aSolveThatCannotBePreparedIsAnsweredAsOpen() {
        CompletionStage<LandingResult> answer = candidates.submitNow(unpreparable());

        assertThat(answer.toCompletableFuture())
                .succeedsWithin(Duration.ofSeconds(10))
                .isEqualTo(LandingResult.OPEN);
        assertThat(credits.count()).as("no window waits for its share").isZero();
    }

    @Test
    void withoutAFreeWorkerASubmitIsAnsweredAsOpenAtOnceAndNothingRunsOnTheCaller() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch running = new CountDownLatch(1);
        workers.submit(0, () -> {
            running.countDown();
            busy.await();
            return null;
        });
        running.await();
        workers.submit(0, () -> null);

        CompletionStage<LandingResult> answer = candidates.submitNow(unpreparable());

        assertThat(answer.toCompletableFuture()).isCompletedWithValue(LandingResult.OPEN);
        busy.countDown();
    }

    @Test
    void aSolveThatItsCommitHasPreparedGoesToTheLaneAsItWasStored() {
        committed.keep(prepared());

        candidates.enqueue(unpreparable());

        assertThat(lane.snapshot().pending()).isEqualTo(1);
        assertThat(committed.take(HASH)).as("kept no longer").isEmpty();
    }

    @Test
    void anUncreditedSolveOnADeadParentIsDroppedBeforeAnyIntent() {
        when(view.detectedTip()).thenReturn(Optional.of(HASH));
        when(view.publishedTip()).thenReturn(Optional.of(HASH));

        candidates.offerUncredited(unpreparable());

        verify(rows, never()).insert(any(), any());
        assertThat(lane.snapshot().pending()).isZero();
    }

    @Test
    void theFewNewestPreparedSolvesAreKept() {
        committed.keep(prepared());
        for (int other = 0; other < 16; other++) {
            Hash256 hash = Hash256.ofDisplayHex(String.format("%064x", other));
            BlockCandidate candidate =
                    new BlockCandidate(hash, PARENT, 7, "00", "00", "{}", BlockCandidate.ShareCredit.COMMITTED);
            committed.keep(new Solves.Prepared(candidate, prepared().intent()));
        }

        assertThat(committed.take(HASH)).isEmpty();
    }
}
