package org.prismpool.lifecycle.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.prismpool.lifecycle.testing.ManualClock;

/** What holds after any sequence of events. */
class ProgressHealthProperties {

    @Property(tries = 500)
    void clocksAndGenerationsKeepTheirPromises(@ForAll("events") @Size(max = 80) List<Event> events) {
        Run run = new Run();
        for (Event event : events) {
            OptionalLong divergenceBefore = run.health.divergenceSinceNanos();
            ProgressSnapshot before = run.look();
            long beforeNanos = run.clock.nanoTime();
            Optional<Duration> pendingBefore = before.pendingRefreshAge();

            event.apply(run);

            Duration passed = Duration.ofNanos(run.clock.nanoTime() - beforeNanos);
            ProgressSnapshot after = run.look();
            generationsNeverFall(before, after);
            openClocksNeverStartAgain(
                    pendingBefore, passed, after, divergenceBefore, run.health.divergenceSinceNanos());
            theVerdictFollowsTheState(after);
        }
    }

    private static void generationsNeverFall(ProgressSnapshot before, ProgressSnapshot after) {
        assertThat(after.current().templateGeneration())
                .isGreaterThanOrEqualTo(before.current().templateGeneration());
        assertThat(after.current().payoutGeneration())
                .isGreaterThanOrEqualTo(before.current().payoutGeneration());
        assertThat(after.published().templateGeneration())
                .isGreaterThanOrEqualTo(before.published().templateGeneration());
    }

    private static void openClocksNeverStartAgain(
            Optional<Duration> pendingBefore,
            Duration passed,
            ProgressSnapshot after,
            OptionalLong divergenceBefore,
            OptionalLong divergenceAfter) {
        if (pendingBefore.isPresent() && after.pendingRefreshAge().isPresent()) {
            Duration expected = pendingBefore.get().plus(passed);
            assertThat(after.pendingRefreshAge().get()).isGreaterThanOrEqualTo(expected);
        }
        if (divergenceBefore.isPresent() && divergenceAfter.isPresent()) {
            assertThat(divergenceAfter.getAsLong()).isLessThanOrEqualTo(divergenceBefore.getAsLong());
        }
    }

    private static void theVerdictFollowsTheState(ProgressSnapshot now) {
        assertThat(now.ok()).isEqualTo(now.reasons().isEmpty());
        assertThat(now.reasons()).doesNotHaveDuplicates().isSorted();
        boolean publishedIsCurrent =
                !now.published().equals(WorkGeneration.NONE) && now.published().sameContent(now.current());
        assertThat(publishedIsCurrent || now.pendingRefresh())
                .as("work that is not published is pending")
                .isTrue();
        assertThat(now.reasons().contains(ProgressReason.REFRESH_PENDING_TOO_LONG)
                        && now.pendingRefreshAge()
                                .map(age -> age.compareTo(Duration.ofSeconds(15)) <= 0)
                                .orElse(true))
                .isFalse();
    }

    @Provide
    Arbitrary<List<Event>> events() {
        Arbitrary<WorkGeneration> work = Combinators.combine(
                        Arbitraries.longs().between(1, 12),
                        Arbitraries.of("aa", "bb", "cc"),
                        Arbitraries.longs().between(0, 4))
                .as(WorkGeneration::new);
        Arbitrary<Event> advance = Arbitraries.integers()
                .between(1, 20_000)
                .map(millis -> run -> run.clock.advance(Duration.ofMillis(millis)));
        Arbitrary<Event> observe = work.map(observed -> run -> run.health.tipObserved(observed, run.clock.nanoTime()));
        Arbitrary<Event> invalidate = Arbitraries.longs()
                .between(0, 4)
                .map(generation -> run -> run.health.payoutInvalidated(generation, run.clock.nanoTime()));
        Arbitrary<Event> owe = Arbitraries.just(run -> run.health.refreshPending(run.clock.nanoTime()));
        Arbitrary<Event> publish = Combinators.combine(work, Arbitraries.of(true, false))
                .as((published, latest) -> run -> run.health.published(published, latest));
        Arbitrary<Event> deliver = Combinators.combine(work, Arbitraries.of(true, false), Arbitraries.of(true, false))
                .as((delivered, collection, latest) -> run -> run.health.delivered(
                        new DeliveryProof(1, delivered, collection, run.clock.nanoTime()), true, latest));
        Arbitrary<Event> clients =
                Arbitraries.integers().between(0, 3).map(waiting -> run -> run.requiringRefresh = waiting);
        Arbitrary<Event> event = Arbitraries.oneOf(advance, observe, invalidate, owe, publish, deliver, clients);
        return event.list();
    }

    /** One event. */
    @FunctionalInterface
    interface Event {
        void apply(Run run);
    }

    /** Health on a clock that the events move. */
    private static final class Run {

        private final ManualClock clock = new ManualClock();
        private final ProgressHealth health = new ProgressHealth(clock, HealthDeadlines.defaults());
        private int requiringRefresh;

        private ProgressSnapshot look() {
            return health.snapshot((fingerprint, payout) -> new ClientCounts(3, requiringRefresh));
        }
    }
}
