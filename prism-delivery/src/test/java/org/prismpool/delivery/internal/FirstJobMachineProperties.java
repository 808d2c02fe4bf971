package org.prismpool.delivery.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.NullUnmarked;
import org.prismpool.delivery.DeliveryMetrics.FirstJobResult;
import org.prismpool.delivery.FirstJobOutcome;
import org.prismpool.delivery.Generations;
import org.prismpool.delivery.JobTarget.DisconnectReason;
import org.prismpool.delivery.internal.FirstJobMachine.Effect;
import org.prismpool.delivery.internal.FirstJobMachine.Phase;
import org.prismpool.delivery.internal.FirstJobMachine.TaskEnd;

/** The first-job machine under random traces with a model of its executor (spec 07 §7.2, §9 L6). */
@NullUnmarked // maps and references that the test fills itself
class FirstJobMachineProperties {

    private static final int BOUND = 4;
    private static final long TIMEOUT = 30;

    private enum Op {
        REQUEST,
        REQUEST_CHANGED,
        REQUEST_SERVED,
        START,
        FINISH_SENT,
        FINISH_FAILED,
        FINISH_WITHDRAWN,
        SERVED_BY_OTHERS,
        DISCONNECT,
        TIME,
        SWEEP
    }

    private record Step(Op op, int connection) {}

    @Provide
    Arbitrary<List<Step>> traces() {
        return Combinators.combine(
                        Arbitraries.of(Op.class), Arbitraries.integers().between(1, 7))
                .as(Step::new)
                .list()
                .ofMaxSize(120);
    }

    /** The executor and the connections around the machine. */
    private static final class World {
        private FirstJobMachine machine = FirstJobMachine.empty(BOUND);
        private final Map<Long, Long> queued = new LinkedHashMap<>(); // task to connection
        private final Map<Long, Long> running = new LinkedHashMap<>();
        private final Set<Long> cancelled = new HashSet<>();
        private final Map<Long, Long> tuples = new LinkedHashMap<>();
        private final Set<Long> closing = new HashSet<>();
        private final Map<FirstJobResult, Integer> counts = new EnumMap<>(FirstJobResult.class);
        private final Set<Long> everRun = new HashSet<>();
        private long now;
        private int admitted;
        private int timeouts;

        private void apply(Step step) {
            long connection = step.connection();
            switch (step.op()) {
                case REQUEST -> request(connection, false);
                case REQUEST_CHANGED -> {
                    tuples.merge(connection, 1L, Long::sum);
                    request(connection, false);
                }
                case REQUEST_SERVED -> request(connection, true);
                case START -> start();
                case FINISH_SENT -> finish(TaskEnd.SENT);
                case FINISH_FAILED -> finish(TaskEnd.FAILED);
                case FINISH_WITHDRAWN -> finish(TaskEnd.WITHDRAWN);
                case SERVED_BY_OTHERS -> run(machine.served(connection, now));
                case DISCONNECT -> {
                    closing.add(connection);
                    run(machine.withdraw(connection));
                }
                case TIME -> now += 7;
                case SWEEP -> run(machine.swept(now));
            }
            check();
        }

        private void request(long connection, boolean served) {
            FirstJobMachine.Admission admission = machine.request(new FirstJobMachine.Request(
                    connection,
                    new Generations(tuples.getOrDefault(connection, 0L), 0, "w"),
                    now,
                    OptionalLong.of(now + TIMEOUT),
                    !closing.contains(connection),
                    served));
            if (admission.outcome() == FirstJobOutcome.QUEUED || admission.outcome() == FirstJobOutcome.REPLACED) {
                admitted++;
            }
            if (admission.outcome() == FirstJobOutcome.REPLACED) {
                assertThat(admission.effects())
                        .as("a replacement never costs its own connection")
                        .noneMatch(effect -> effect instanceof FirstJobMachine.Disconnect);
            }
            if (admission.outcome() == FirstJobOutcome.REJECTED) {
                assertThat(machine.entries()).hasSize(BOUND).doesNotContainKey(connection);
            }
            run(new FirstJobMachine.Step(admission.next(), admission.effects()));
        }

        private void start() {
            if (!queued.isEmpty()) {
                long task = queued.keySet().iterator().next();
                long connection = queued.remove(task);
                machine.started(connection, task)
                        .ifPresentOrElse(
                                next -> {
                                    machine = next;
                                    running.put(task, connection);
                                    assertThat(everRun.add(task))
                                            .as("a task runs once")
                                            .isTrue();
                                },
                                () -> assertThat(cancelled)
                                        .as("only a cancelled task is refused")
                                        .contains(task));
            }
        }

        private void finish(TaskEnd end) {
            if (!running.isEmpty()) {
                long task = running.keySet().iterator().next();
                long connection = running.remove(task);
                run(machine.finished(connection, task, end, now));
            }
        }

        private void run(FirstJobMachine.Step step) {
            machine = step.next();
            for (Effect effect : new ArrayList<>(step.effects())) {
                if (effect instanceof FirstJobMachine.Submit submit) {
                    assertThat(queued.size())
                            .as("never more queued than the pool takes")
                            .isLessThan(BOUND);
                    queued.put(submit.task(), submit.connection());
                } else if (effect instanceof FirstJobMachine.CancelTask cancel) {
                    cancelled.add(cancel.task());
                    assertThat(cancel.queued()).isEqualTo(queued.containsKey(cancel.task()));
                    queued.remove(cancel.task());
                } else if (effect instanceof FirstJobMachine.Disconnect disconnect) {
                    disconnected(disconnect);
                } else if (effect instanceof FirstJobMachine.Vacate vacate) {
                    assertThat(closing)
                            .as("marked as closing before it gives its place up")
                            .contains(vacate.connection());
                    machine = machine.vacated(vacate.connection(), vacate.task());
                } else if (effect instanceof FirstJobMachine.Count count) {
                    counts.merge(count.result(), 1, Integer::sum);
                } else if (effect instanceof FirstJobMachine.CountTimeout) {
                    timeouts++;
                }
            }
        }

        private void disconnected(FirstJobMachine.Disconnect disconnect) {
            if (disconnect.reason() == DisconnectReason.FIRST_JOB_TIMEOUT) {
                assertThat(machine.entries().get(disconnect.connection()).phase())
                        .as("it still owns its place")
                        .isEqualTo(Phase.EXPIRED);
            }
            closing.add(disconnect.connection());
        }

        private void check() {
            assertThat(machine.entries().size()).isLessThanOrEqualTo(BOUND);
            long queuedEntries = machine.entries().values().stream()
                    .filter(entry -> entry.phase() == Phase.QUEUED)
                    .count();
            assertThat((long) queued.size())
                    .as("no place is taken by a withdrawn request")
                    .isEqualTo(queuedEntries);
            machine.entries().forEach((connection, entry) -> {
                assertThat(entry.phase()).isNotEqualTo(Phase.EXPIRED);
                if (entry.phase() == Phase.WAITING) {
                    assertThat(running).containsKey(entry.predecessor().orElseThrow());
                }
                if (entry.phase() == Phase.RUNNING) {
                    assertThat(running).containsEntry(entry.task(), connection);
                }
            });
            assertThat(count(FirstJobResult.SENT)
                            + count(FirstJobResult.FAILED)
                            + count(FirstJobResult.CANCELLED)
                            + machine.entries().size())
                    .as("every admitted request is pending or has exactly one result")
                    .isEqualTo(admitted);
            assertThat(timeouts).isLessThanOrEqualTo(count(FirstJobResult.CANCELLED));
        }

        private int count(FirstJobResult result) {
            return counts.getOrDefault(result, 0);
        }
    }

    @Property
    void everyRequestHasOneResultAndWithdrawnOnesKeepNoPlace(@ForAll("traces") List<Step> trace) {
        World world = new World();
        trace.forEach(world::apply);

        world.now += TIMEOUT;
        world.run(world.machine.swept(world.now));
        world.check();

        assertThat(world.machine.entries()).as("nothing outlives its deadline").isEmpty();
        assertThat(world.queued).isEmpty();
    }

    @Property
    void aClosedMachineTakesNothingAndLeavesNothing(@ForAll("traces") List<Step> trace) {
        World world = new World();
        trace.forEach(world::apply);

        world.run(world.machine.close());
        world.check();

        assertThat(world.machine.entries()).isEmpty();
        assertThat(world.machine
                        .request(new FirstJobMachine.Request(
                                99, new Generations(0, 0, "w"), 0, OptionalLong.empty(), true, false))
                        .outcome())
                .isEqualTo(FirstJobOutcome.CLOSED);
    }
}
