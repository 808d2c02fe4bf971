package org.prismpool.bundle.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.CancelSource;
import org.prismpool.lifecycle.time.CancelledException;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.DeadlineExceededException;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.audit.AuditBuildInput;
import org.prismpool.payout.audit.AuditBundleBuilder;
import org.prismpool.payout.audit.BlockTerms;
import org.prismpool.payout.audit.JobSummary;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.window.FoundBlock;

class CompilerTest {

    private static final Duration CANCELLED_WITHIN = Duration.ofMillis(50);

    private final MonotonicClock clock = MonotonicClock.system();
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final InProcessCompiler inProcess =
            new InProcessCompiler(CompileInputs.MANIFEST_KEY, CompileInputs.LEDGER_KEY, clock);

    @Test
    void oneThousandRandomWindowsGiveTheSameBytesThroughTheHelpersDocumentsAndInProcess() throws IOException {
        Random random = new Random(20_261_130);
        AuditBundleBuilder tool = new AuditBundleBuilder(CompileInputs.MANIFEST_KEY, CompileInputs.LEDGER_KEY);
        int compared = 0;
        while (compared < 1000) {
            AuditBuildInput input = CompileInputs.random(random);
            JobSummary served = compile(input);

            ByteArrayOutputStream payload = new ByteArrayOutputStream();
            BuildInputWriter.write(input, payload);
            JobSummary other = tool.summarize(AuditBuildInput.read(ExactReader.of(payload.toByteArray()), true));
            JobSummary transported = SummaryReader.read(other.canonicalBytes());

            assertThat(transported.canonicalBytes()).isEqualTo(served.canonicalBytes());
            compared++;
        }
    }

    @Test
    void aNewTemplateOfTheSameSharesIsNotCountedAgainAndGivesTheSameBytes() {
        Random random = new Random(20_261_201);
        AtomicInteger counted = new AtomicInteger();
        CompileProgress counting = new CompileProgress() {
            @Override
            public void checkpoint(String checkpoint) {
                if (checkpoint.equals("ledger_snapshot_conversion")) {
                    counted.incrementAndGet();
                }
            }
        };
        for (int window = 0; window < 20; window++) {
            AuditBuildInput first = window == 0 ? CompileInputs.ofShares(600) : CompileInputs.random(random);
            for (AuditBuildInput input : List.of(first, CompileInputs.nextBlock(first), first)) {
                JobSummary fresh = new InProcessCompiler(CompileInputs.MANIFEST_KEY, CompileInputs.LEDGER_KEY, clock)
                        .compile(input, deadline(Duration.ofSeconds(60)), CancelSignal.never(), CompileProgress.NONE);

                JobSummary kept =
                        inProcess.compile(input, deadline(Duration.ofSeconds(60)), CancelSignal.never(), counting);

                assertThat(kept.canonicalBytes()).isEqualTo(fresh.canonicalBytes());
            }
        }
        assertThat(counted)
                .as("600 shares were read once: a checkpoint for each 256")
                .hasValue(2);
    }

    @Test
    void theSameSharesAtAnotherDifficultyOrAnchorAreCountedAgain() {
        AuditBuildInput wide = CompileInputs.ofShares(500);
        FoundBlock block = wide.terms().foundBlock();
        for (FoundBlock other : List.of(
                new FoundBlock(
                        block.blockHeight(),
                        block.coinbaseValueSats(),
                        U128.ofUnsigned(10),
                        block.anchorJobIssuedAtMs()),
                new FoundBlock(
                        block.blockHeight(),
                        block.coinbaseValueSats(),
                        block.networkDifficulty(),
                        block.anchorJobIssuedAtMs() - 100))) {
            AuditBuildInput narrow = new AuditBuildInput(wide.shares(), BlockTerms.of(other));
            compile(wide);

            assertThat(compile(narrow).canonicalBytes())
                    .isEqualTo(new AuditBundleBuilder(CompileInputs.MANIFEST_KEY, CompileInputs.LEDGER_KEY)
                            .summarize(narrow)
                            .canonicalBytes());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ledger_snapshot_conversion", "manifest_digest"})
    void aCancelledCompileOfFourHundredThousandSharesStopsWhileItReadsOrDigestsThem(String place) {
        AuditBuildInput input = CompileInputs.ofShares(400_000);
        long fastest = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 3 && fastest > CANCELLED_WITHIN.toNanos(); attempt++) {
            fastest = Math.min(fastest, nanosFromCancelToEnd(input, place)); // a busy machine pauses now and then
        }

        assertThat(Duration.ofNanos(fastest)).isLessThan(CANCELLED_WITHIN);
    }

    private long nanosFromCancelToEnd(AuditBuildInput input, String place) {
        CancelSource cancel = new CancelSource();
        AtomicInteger checkpoints = new AtomicInteger();
        AtomicLong cancelledAt = new AtomicLong();
        CompileProgress progress = new CompileProgress() {
            @Override
            public void checkpoint(String checkpoint) {
                if (checkpoint.equals(place) && checkpoints.incrementAndGet() == 100) {
                    cancelledAt.set(threads.getCurrentThreadCpuTime());
                    cancel.cancel("superseded");
                }
            }
        };

        assertThatThrownBy(() -> inProcess.compile(input, deadline(Duration.ofSeconds(60)), cancel, progress))
                .isInstanceOf(CancelledException.class);

        // Of this thread's own time, so that a busy machine is not taken for a slow compile.
        long took = threads.getCurrentThreadCpuTime() - cancelledAt.get();
        assertThat(checkpoints).hasValue(100);
        return took;
    }

    @Test
    void aCompileBeyondItsDeadlineStopsAtItsFirstCheckpoint() {
        assertThatThrownBy(() -> inProcess.compile(
                        CompileInputs.ofShares(10),
                        deadline(Duration.ZERO),
                        CancelSignal.never(),
                        CompileProgress.NONE))
                .isInstanceOf(DeadlineExceededException.class);
    }

    @Test
    void aRuleThatTheInputBreaksIsACompileFailureWithItsText() {
        AuditBuildInput valid = CompileInputs.ofShares(1);
        FoundBlock early =
                new FoundBlock(1, 5_000_000_000L, valid.terms().foundBlock().networkDifficulty(), 1);
        AuditBuildInput input = new AuditBuildInput(valid.shares(), BlockTerms.of(early));

        assertThatThrownBy(() -> compile(input))
                .isInstanceOf(CompileException.class)
                .hasMessageContaining("no eligible shares");
    }

    @Test
    void theShadowServesTheFirstResultAndCountsDifferences() {
        JobSummary other = compile(CompileInputs.ofShares(3));
        ShadowCompiler equal = new ShadowCompiler(inProcess, inProcess);
        ShadowCompiler different = new ShadowCompiler(inProcess, (input, deadline, cancel, progress) -> other);
        ShadowCompiler broken = new ShadowCompiler(inProcess, (input, deadline, cancel, progress) -> {
            throw new CompileException("no helper");
        });

        for (ShadowCompiler shadow : List.of(equal, different, broken)) {
            JobSummary served = shadow.compile(
                    CompileInputs.ofShares(2),
                    deadline(Duration.ofSeconds(60)),
                    CancelSignal.never(),
                    CompileProgress.NONE);
            assertThat(served.canonicalBytes())
                    .isEqualTo(compile(CompileInputs.ofShares(2)).canonicalBytes());
        }

        assertThat(List.of(equal.mismatches(), different.mismatches(), broken.skipped()))
                .containsExactly(0L, 1L, 1L);
    }

    @Test
    void theSecondCompileOfAShadowGetsOnlyTheTimeThatTheFirstLeft() {
        ManualClock byHand = new ManualClock();
        JobSummary summary = compile(CompileInputs.ofShares(2));
        List<Duration> left = new ArrayList<>();
        ShadowCompiler shadow = new ShadowCompiler(
                (input, deadline, cancel, progress) -> {
                    byHand.advance(Duration.ofSeconds(40));
                    return summary;
                },
                (input, deadline, cancel, progress) -> {
                    left.add(deadline.remaining());
                    byHand.advance(Duration.ofSeconds(20));
                    deadline.check("shadow");
                    return summary;
                });

        JobSummary served = shadow.compile(
                CompileInputs.ofShares(2),
                Deadline.after(Duration.ofSeconds(60), byHand, "test"),
                CancelSignal.never(),
                CompileProgress.NONE);

        assertThat(served).isSameAs(summary);
        assertThat(left).containsExactly(Duration.ofSeconds(20));
        assertThat(shadow.skipped()).isEqualTo(1);
    }

    private JobSummary compile(AuditBuildInput input) {
        return inProcess.compile(input, deadline(Duration.ofSeconds(60)), CancelSignal.never(), CompileProgress.NONE);
    }

    private Deadline deadline(Duration budget) {
        return Deadline.after(budget, clock, "test");
    }
}
