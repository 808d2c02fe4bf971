package org.prismpool.lifecycle.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.prismpool.lifecycle.testing.ManualClock;

/** The executor against a model of a sorted list and a set: after every command both agree (X1 to X8, X11, X13, X14). */
class ExecutorModelProperties {

    private static final Duration STEP = Duration.ofSeconds(5);

    @Property(tries = 150)
    void everyCommandLeavesTheExecutorWhereTheModelIs(
            @ForAll @IntRange(min = 1, max = 3) int workers,
            @ForAll @IntRange(min = 1, max = 4) int capacity,
            @ForAll boolean aging,
            @ForAll("commands") @Size(max = 40) List<Command> commands) {
        Run run = new Run(workers, capacity, aging);
        try {
            for (Command command : commands) {
                command.apply(run);
                run.settle();
                run.compare();
            }
        } finally {
            run.finishEverything();
        }
        run.everyTicketReachedOneEnd();
    }

    @Provide
    Arbitrary<List<Command>> commands() {
        Arbitrary<Command> submit = Arbitraries.integers().between(0, 4).map(priority -> run -> run.submit(priority));
        Arbitrary<Command> cancel = Arbitraries.integers().between(0, 50).map(index -> run -> run.cancel(index));
        Arbitrary<Command> finish = Arbitraries.integers().between(0, 2).map(index -> run -> run.finish(index));
        Arbitrary<Command> advance = Arbitraries.integers().between(1, 12).map(seconds -> run -> run.advance(seconds));
        Arbitrary<Command> close = Combinators.combine(
                        Arbitraries.of(CloseMode.class), Arbitraries.integers().between(0, 7))
                .as((mode, dice) -> run -> {
                    if (dice == 0) {
                        run.close(mode);
                    }
                });
        return Arbitraries.frequencyOf(
                        Tuple.of(6, submit),
                        Tuple.of(2, cancel),
                        Tuple.of(4, finish),
                        Tuple.of(2, advance),
                        Tuple.of(1, close))
                .list();
    }

    /** One command on both. */
    @FunctionalInterface
    interface Command {
        void apply(Run run);
    }

    /** What the model knows of one admitted task. */
    private record Entry(int id, int priority, long queuedSeconds) {}

    /** An executor and its model. */
    private static final class Run {

        private final int workers;
        private final int capacity;
        private final boolean aging;
        private final ManualClock clock = new ManualClock();
        private final BoundedPriorityExecutor executor;
        private final List<TaskGate> gates = new ArrayList<>(); // by id, like the tickets
        private final List<Ticket<String>> tickets = new ArrayList<>();
        private final List<Entry> queued = new ArrayList<>();
        private final TreeSet<Integer> running = new TreeSet<>();
        private final TreeSet<Integer> cancelled = new TreeSet<>();
        private final TreeSet<Integer> everStarted = new TreeSet<>();
        private long nowSeconds;
        private boolean closed;

        private Run(int workers, int capacity, boolean aging) {
            this.workers = workers;
            this.capacity = capacity;
            this.aging = aging;
            this.executor = BoundedPriorityExecutor.start(ExecutorConfig.of("model", workers, capacity)
                    .withClock(clock)
                    .withAgingStep(aging ? STEP : Duration.ZERO));
        }

        private void submit(int priority) {
            TaskGate gate = new TaskGate();
            if (closed) {
                assertThatThrownBy(() -> executor.submit(priority, gate)).isInstanceOf(ExecutorClosedException.class);
            } else if (queued.size() >= capacity) {
                assertThatThrownBy(() -> executor.submit(priority, gate)).isInstanceOf(QueueFullException.class);
            } else {
                int id = tickets.size();
                gates.add(gate);
                tickets.add(executor.submit(priority, gate));
                queued.add(new Entry(id, priority, nowSeconds));
            }
        }

        private void cancel(int index) {
            if (tickets.isEmpty()) {
                return;
            }
            int id = index % tickets.size();
            boolean expected = queued.removeIf(entry -> entry.id() == id);
            if (expected) {
                cancelled.add(id);
            }
            assertThat(executor.cancel(tickets.get(id))).isEqualTo(expected);
        }

        private void finish(int index) {
            if (running.isEmpty()) {
                return;
            }
            int id = new ArrayList<>(running).get(index % running.size());
            running.remove(id);
            gates.get(id).open();
            assertThat(tickets.get(id)
                            .future()
                            .copy()
                            .orTimeout(10, TimeUnit.SECONDS)
                            .join())
                    .isEqualTo("done");
        }

        private void advance(int seconds) {
            nowSeconds += seconds;
            clock.advance(Duration.ofSeconds(seconds));
        }

        private void close(CloseMode mode) {
            closed = true;
            executor.close(mode, Duration.ZERO);
            if (mode == CloseMode.CANCEL_QUEUED) {
                queued.forEach(entry -> cancelled.add(entry.id()));
                queued.clear();
            }
        }

        /** Lets free workers of the model take what is next. */
        private void settle() {
            while (running.size() < workers && !queued.isEmpty()) {
                Entry next = queued.stream()
                        .min(Comparator.comparingLong(this::effective).thenComparingInt(Entry::id))
                        .orElseThrow();
                queued.remove(next);
                running.add(next.id());
            }
            everStarted.addAll(running);
        }

        private long effective(Entry entry) {
            long steps = aging ? (nowSeconds - entry.queuedSeconds()) / STEP.toSeconds() : 0;
            return Math.max(0, entry.priority() - steps);
        }

        private void compare() {
            await().pollInterval(Duration.ofMillis(1))
                    .until(() -> executor.stats().active() == running.size()
                            && executor.stats().queued() == queued.size());
            await().pollInterval(Duration.ofMillis(1)).until(() -> started().equals(everStarted));
            ExecutorStats stats = executor.stats();
            assertThat(stats.active()).isLessThanOrEqualTo(workers);
            assertThat(stats.queued()).isLessThanOrEqualTo(capacity);
            assertThat(stats.cancelled()).isEqualTo(cancelled.size());
            cancelled.forEach(id -> assertThat(tickets.get(id).state()).isEqualTo(TicketState.CANCELLED));
        }

        private Set<Integer> started() {
            Set<Integer> started = new TreeSet<>();
            for (int id = 0; id < gates.size(); id++) {
                if (gates.get(id).started()) {
                    started.add(id);
                }
            }
            return started;
        }

        private void finishEverything() {
            gates.forEach(TaskGate::open);
            assertThat(executor.close(CloseMode.DRAIN, Duration.ofSeconds(10))).isEmpty();
        }

        private void everyTicketReachedOneEnd() {
            for (int id = 0; id < tickets.size(); id++) {
                TicketState expected = cancelled.contains(id) ? TicketState.CANCELLED : TicketState.SUCCEEDED;
                assertThat(tickets.get(id).state()).isEqualTo(expected);
                assertThat(tickets.get(id).future()).isDone();
                assertThat(gates.get(id).started()).isEqualTo(expected == TicketState.SUCCEEDED);
            }
            ExecutorStats stats = executor.stats();
            assertThat(stats.completed() + stats.cancelled()).isEqualTo(tickets.size());
        }
    }
}
