package org.prismpool.lifecycle.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.prismpool.lifecycle.testing.ManualClock;

/**
 * X17: with aging and tasks of at most S seconds, an entry of priority p starts within p steps plus the time that the workers need
 * for a full queue and itself, although more urgent ones never cease to come.
 */
class AgingBoundProperties {

    private static final int STEP_SECONDS = 5;

    @Property(tries = 25)
    void anEntryStartsWithinItsBoundHoweverManyUrgentOnesCome(
            @ForAll @IntRange(min = 1, max = 3) int workers,
            @ForAll @IntRange(min = 1, max = 4) int capacity,
            @ForAll @IntRange(min = 0, max = 3) int priority,
            @ForAll @IntRange(min = 1, max = 4) int taskSeconds,
            @ForAll @IntRange(min = 0, max = 2) int stagger) {
        Load load = new Load(workers, capacity, taskSeconds);
        try {
            for (int i = 0; i < workers; i++) {
                load.submit(0);
                load.settle();
                load.advance(stagger);
            }
            load.urgentUntil(capacity - 1);
            long submitted = load.nowSeconds;
            TaskGate measured = load.submit(priority);

            long bound = (long) priority * STEP_SECONDS + (long) ((capacity + workers) / workers) * taskSeconds;
            while (!measured.started() && load.nowSeconds <= submitted + bound) {
                load.advance(1);
                load.urgentUntil(capacity);
            }

            assertThat(measured.started()).as("started within %d s", bound).isTrue();
            assertThat(load.nowSeconds - submitted).isLessThanOrEqualTo(bound);
        } finally {
            load.close();
        }
    }

    /** An executor that is never idle, second by second. */
    private static final class Load {

        private final ManualClock clock = new ManualClock();
        private final BoundedPriorityExecutor executor;
        private final int workers;
        private final int taskSeconds;
        private final Map<TaskGate, Ticket<String>> waiting = new LinkedHashMap<>();
        private final Map<TaskGate, Long> running = new LinkedHashMap<>(); // since which second
        private final Map<TaskGate, Ticket<String>> tickets = new LinkedHashMap<>();
        private long nowSeconds;

        private Load(int workers, int capacity, int taskSeconds) {
            this.workers = workers;
            this.taskSeconds = taskSeconds;
            this.executor = BoundedPriorityExecutor.start(ExecutorConfig.of("bound", workers, capacity)
                    .withClock(clock)
                    .withAgingStep(Duration.ofSeconds(STEP_SECONDS)));
        }

        private TaskGate submit(int priority) {
            TaskGate gate = new TaskGate();
            Ticket<String> ticket = executor.submit(priority, gate);
            waiting.put(gate, ticket);
            tickets.put(gate, ticket);
            return gate;
        }

        private void urgentUntil(int queued) {
            while (waiting.size() < queued) {
                submit(0);
            }
        }

        /** Second by second: what has run its time ends, and the workers take what is next. */
        private void advance(int seconds) {
            for (int i = 0; i < seconds; i++) {
                nowSeconds++;
                clock.advance(Duration.ofSeconds(1));
                List<TaskGate> over = new ArrayList<>(running.keySet());
                over.removeIf(gate -> nowSeconds - running.get(gate) < taskSeconds);
                for (TaskGate gate : over) {
                    running.remove(gate);
                    gate.open();
                    tickets.get(gate)
                            .future()
                            .copy()
                            .orTimeout(10, TimeUnit.SECONDS)
                            .join();
                }
                settle();
            }
        }

        private void settle() {
            int expected = Math.min(workers, running.size() + waiting.size());
            await().pollInterval(Duration.ofMillis(1)).until(() -> {
                List.copyOf(waiting.keySet()).stream().filter(TaskGate::started).forEach(gate -> {
                    waiting.remove(gate);
                    running.put(gate, nowSeconds);
                });
                return running.size() == expected;
            });
        }

        private void close() {
            tickets.keySet().forEach(TaskGate::open);
            assertThat(executor.close(CloseMode.DRAIN, Duration.ofSeconds(10))).isEmpty();
        }
    }
}
