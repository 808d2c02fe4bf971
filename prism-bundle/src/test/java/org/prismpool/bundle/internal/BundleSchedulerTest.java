package org.prismpool.bundle.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.prismpool.bundle.BuildSource;
import org.prismpool.bundle.BuildWatch;
import org.prismpool.bundle.BundleException;
import org.prismpool.bundle.BundleFailure;
import org.prismpool.bundle.BundleMode;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.time.Deadline;

class BundleSchedulerTest {

    private final ManualClock clock = new ManualClock();
    private final StepExecutor executor = new StepExecutor();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger joins = new AtomicInteger();
    private boolean brokenBookkeeping;
    private final List<SchedulerCount> counts = Collections.synchronizedList(new ArrayList<>());
    private final BundleScheduler<String> scheduler =
            new BundleScheduler<>(executor, Duration.ofMillis(250), listener(), clock);

    /** Runs tasks when the test says so. */
    private static final class StepExecutor extends AbstractExecutorService {
        private final Deque<Runnable> tasks = new ArrayDeque<>();
        private boolean refusing;
        private boolean immediate;

        @Override
        public void execute(Runnable task) {
            if (refusing) {
                throw new RejectedExecutionException("full");
            }
            if (immediate) {
                task.run();
                return;
            }
            tasks.add(task);
        }

        void runNext() {
            tasks.remove().run();
        }

        @Override
        public void shutdown() {}

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return true;
        }
    }

    @Test
    void everyoneWhoJoinedGetsTheOneResult() {
        var first = submit("a", true, control -> "built");
        var second = submit("a", false, control -> "never called");

        executor.runNext();

        assertThat(first.future().join()).isEqualTo("built");
        assertThat(second.future().join()).isEqualTo("built");
        assertThat(executor.tasks).isEmpty();
        assertThat(joins).hasValue(1);
    }

    @Test
    void aBuildThatThrowsAnErrorStillResolvesItsPromiseAndFreesItsPlace() {
        var admission = submit("a", true, control -> {
            throw new StackOverflowError("deep");
        });

        executor.runNext();

        assertThatThrownBy(() -> admission.future().join()).hasRootCauseInstanceOf(StackOverflowError.class);
        assertThat(scheduler.state().running()).isEmpty();
    }

    @Test
    void aBuildIsWatchedFromItsStartOnAThreadToItsEndEvenIfItWasGivenUp() {
        List<Integer> seen = new ArrayList<>();
        submit("a", true, control -> {
            seen.add(running.get());
            throw new IllegalStateException("broken");
        });
        assertThat(running).hasValue(0);

        clock.advance(Duration.ofSeconds(62));
        scheduler.tick();
        executor.runNext();
        submit("b", true, control -> {
            seen.add(running.get());
            return "built";
        });
        executor.runNext();

        assertThat(seen).containsExactly(1);
        assertThat(running).hasValue(0);
    }

    @Test
    void bookkeepingThatThrowsLeavesNoPromiseOpen() {
        brokenBookkeeping = true;
        var admission = submit("a", true, control -> "built");

        executor.runNext();

        assertThat(admission.future().join()).isEqualTo("built");
        assertThat(scheduler.state().running()).isEmpty();
    }

    @Test
    void aRefusingExecutorFailsThePromiseInsteadOfWedgingThePlace() {
        executor.refusing = true;

        var admission = submit("a", true, control -> "x");

        assertThat(failure(admission)).isEqualTo(BundleFailure.BLOCKED);
        assertThat(scheduler.state().running()).isEmpty();
    }

    @Test
    void aBuildThatIsOverBeforeItsStartReturnsLeavesItsPlaceFree() {
        executor.immediate = true;

        var first = submit("a", true, control -> "built");
        var second = submit("b", false, control -> "built too");

        assertThat(first.future().join()).isEqualTo("built");
        assertThat(second.future().join()).isEqualTo("built too");
        assertThat(scheduler.state().running()).isEmpty();
        assertThat(scheduler.state().pending()).isEmpty();
    }

    @Test
    void aCancelledBuildNeverDeliversItsResult() {
        var old = submit("a", true, control -> "late result");
        submit("b", true, control -> "new");

        executor.runNext();

        assertThat(failure(old)).isEqualTo(BundleFailure.SUPERSEDED);
    }

    @Test
    void aBuildSeesItsCancellationAtTheNextCheckpoint() {
        List<String> seen = new ArrayList<>();
        submit("a", true, control -> {
            submit("b", true, inner -> "new");
            control.checkpoint("bundle_assembly");
            seen.add("went on");
            return "x";
        });

        executor.runNext();

        assertThat(seen).isEmpty();
    }

    @Test
    void aBuildBeyondItsDeadlineIsCancelledAndAfterTheGraceDisowned() {
        var admission = submit("a", true, control -> "never runs");

        clock.advance(Duration.ofSeconds(61));
        scheduler.tick();
        assertThat(admission.future()).isNotDone();
        clock.advance(Duration.ofMillis(251));
        scheduler.tick();

        assertThat(failure(admission)).isEqualTo(BundleFailure.PHASE_TIMEOUT);
        assertThat(scheduler.wedged()).isEqualTo(1);
        executor.runNext();
        assertThat(scheduler.wedged())
                .as("the place is free once the build ends")
                .isZero();
    }

    @Test
    void aFlightWhoseTaskVanishedIsEvictedAtTheNextAdmissionAfterOneSecond() {
        var lost = submit("a", true, control -> "x");
        // A cancelled task is over and never reports: what a crashed callback looks like from outside.
        ((Future<?>) executor.tasks.remove()).cancel(false);

        submit("b", false, control -> "y");
        clock.advance(Duration.ofSeconds(1));
        submit("c", false, control -> "z");

        assertThat(counts).contains(SchedulerCount.ORPHANS_EVICTED);
        assertThat(failure(lost)).isEqualTo(BundleFailure.BLOCKED);
    }

    @Test
    void aDeferredRequestIsToldWhenCapacityIsThere() {
        submit("a", true, control -> "x");
        var deferred = submit("b", false, control -> "y");
        assertThat(deferred.future()).isNotDone();

        executor.runNext();

        assertThatThrownBy(() -> deferred.future().join()).hasMessageContaining(FlightFailures.CAPACITY);
    }

    @Test
    void whenTheLastCallerLeavesTheBuildIsCancelled() {
        var mine = submit("a", true, control -> "x");
        var other = submit("a", true, control -> "x");

        mine.leave().run();
        assertThat(scheduler.state().active().orElseThrow().cancelled()).isEmpty();
        other.leave().run();

        assertThat(scheduler.state().active().orElseThrow().cancelled()).contains(Scheduler.SUPERSEDED);
    }

    @Test
    void closingResolvesTheWaitingBuildAndSettlesTheRest() {
        submit("a", true, control -> "x");
        submit("b", true, control -> "x");
        var waiting = submit("c", true, control -> "x");

        scheduler.close();
        assertThat(failure(waiting)).isEqualTo(BundleFailure.SHUTDOWN);
        scheduler.settle();

        assertThat(failure(submit("d", true, control -> "x"))).isEqualTo(BundleFailure.SHUTDOWN);
    }

    private BundleScheduler.Admission<String> submit(
            String key, boolean critical, Function<BuildControl, String> build) {
        FlightKey flight = new FlightKey(BundleMode.READY, key, key, key, Optional.empty());
        return scheduler.submit(
                new BundleScheduler.Entry(flight, critical, BuildSource.ROUTINE, false),
                false,
                new BuildControl(Deadline.after(Duration.ofSeconds(60), clock, "test"), clock),
                build);
    }

    private static BundleFailure failure(BundleScheduler.Admission<String> admission) {
        try {
            admission.future().join();
            throw new AssertionError("expected a failure");
        } catch (CompletionException e) {
            assertThat(e.getCause()).isInstanceOf(BundleException.class);
            return ((BundleException) e.getCause()).failure();
        }
    }

    private SchedulerListener listener() {
        return new SchedulerListener() {
            @Override
            public void count(SchedulerCount counter) {
                counts.add(counter);
            }

            @Override
            public void joined() {
                joins.incrementAndGet();
            }

            @Override
            public void cancellation(long nanos) {}

            @Override
            public void replacementStart(long nanos) {}

            @Override
            public BuildWatch.Running buildBegan() {
                running.incrementAndGet();
                return running::decrementAndGet;
            }

            @Override
            public void buildEnded(long nanos) {
                if (brokenBookkeeping) {
                    throw new IllegalStateException("bookkeeping");
                }
            }
        };
    }
}
