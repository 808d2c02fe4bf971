package org.prismpool.bundle.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import org.prismpool.bundle.BuildSource;
import org.prismpool.bundle.BundleMode;

class SchedulerProperties {

    /** One long run of the scheduler next to the model of the table, with every property checked after every step. */
    private static final class Trace {
        private final Random random;
        private final TableModel model = new TableModel();
        private SchedulerState state = SchedulerState.EMPTY;
        private long nextId = 1;
        private final Set<Long> resolved = new HashSet<>();
        private final Map<Long, Boolean> criticalWhenStarted = new HashMap<>();

        Trace(long seed) {
            this.random = new Random(seed);
        }

        void run(int steps) {
            for (int i = 0; i < steps; i++) {
                int dice = random.nextInt(10);
                if (dice < 6) {
                    admit();
                } else if (dice < 9) {
                    complete();
                } else {
                    cancel();
                }
                compare();
            }
        }

        private void admit() {
            SchedulerRequest request = new SchedulerRequest(
                    nextId++,
                    key(),
                    random.nextInt(3) == 0,
                    BuildSource.values()[random.nextInt(3)],
                    random.nextInt(8) == 0,
                    nextId);
            boolean unpublished = random.nextBoolean();
            Set<Long> healthy = new HashSet<>();
            state.flights().filter(f -> random.nextBoolean()).forEach(f -> healthy.add(f.id()));
            step(new SchedulerEvent.Admit(request, unpublished, healthy));
            model.admit(request, unpublished, healthy);
        }

        private FlightKey key() {
            boolean ready = random.nextInt(3) > 0;
            int template = random.nextInt(3);
            int clock = random.nextInt(2);
            if (ready) {
                return new FlightKey(
                        BundleMode.READY,
                        "ready-" + template,
                        "ready-" + template + "-" + clock,
                        "ready-" + template + "-" + clock,
                        Optional.empty());
            }
            int worker = random.nextInt(4);
            String sansIdentity = "collection-" + template;
            return new FlightKey(
                    BundleMode.COLLECTION,
                    sansIdentity + "-" + worker,
                    sansIdentity + "-" + worker,
                    sansIdentity,
                    Optional.of("worker-" + worker));
        }

        private void complete() {
            List<Flight> running = state.running().toList();
            if (running.isEmpty()) {
                return;
            }
            long id = running.get(random.nextInt(running.size())).id();
            boolean result = random.nextBoolean();
            step(new SchedulerEvent.Completed(
                    id, result ? SchedulerEvent.Ending.RESULT : SchedulerEvent.Ending.FAILURE));
            model.complete(id, result);
        }

        private void cancel() {
            Set<Long> ids = new HashSet<>();
            state.flights().filter(f -> random.nextBoolean()).forEach(f -> ids.add(f.id()));
            String reason = random.nextBoolean() ? Scheduler.TIMEOUT : "payout generation superseded";
            step(new SchedulerEvent.CancelRequested(ids, reason));
            model.cancel(ids, reason);
        }

        private void step(SchedulerEvent event) {
            Set<Long> liveCriticalBefore = new HashSet<>();
            state.running().filter(Flight::liveCritical).forEach(f -> liveCriticalBefore.add(f.id()));
            Scheduler.Step step = Scheduler.step(state, event);
            state = step.state();
            for (SchedulerEffect effect : step.effects()) {
                if (effect instanceof SchedulerEffect.Resolve resolve) {
                    assertThat(resolved.add(resolve.id()))
                            .as("promise %s is completed once", resolve.id())
                            .isTrue();
                    assertThat(resolve.resolution().name()).isNotEqualTo("SHUTDOWN");
                }
                if (effect instanceof SchedulerEffect.Start start) {
                    Flight started = state.find(start.id()).orElseThrow();
                    criticalWhenStarted.put(start.id(), started.critical());
                    boolean criticalGoesOn =
                            state.running().anyMatch(f -> liveCriticalBefore.contains(f.id()) && f.liveCritical());
                    assertThat(started.critical() || !criticalGoesOn)
                            .as("no routine build starts beside a live publication-critical one")
                            .isTrue();
                }
            }
        }

        private void compare() {
            assertThat(state.running().count()).isLessThanOrEqualTo(2);
            same("ACTIVE", state.active(), model.active);
            same("RETIRING", state.retiring(), model.retiring);
            same("PENDING", state.pending(), model.pending);
            assertThat(resolved).isEqualTo(model.resolved.keySet());
            assertThat(criticalWhenStarted.keySet()).isEqualTo(new HashSet<>(model.started));
        }

        private static void same(String place, Optional<Flight> flight, TableModel.Slot slot) {
            if (slot == null) {
                assertThat(flight).as(place).isEmpty();
                return;
            }
            assertThat(flight).as(place).hasValueSatisfying(f -> {
                assertThat(f.id()).isEqualTo(slot.id);
                assertThat(f.critical()).isEqualTo(slot.critical);
                assertThat(f.cancelled().orElse("")).isEqualTo(slot.cancelled);
            });
        }
    }

    @Property(tries = 60)
    void theSchedulerAgreesWithTheTableOnRandomTraces(@ForAll long seed) {
        new Trace(seed).run(400);
    }

    @Property(tries = 100)
    @Tag("soak")
    void theSchedulerAgreesWithTheTableOnLongTraces(@ForAll long seed) {
        new Trace(seed).run(10_000);
    }

    @Property(tries = 3)
    void theSchedulerAgreesWithTheTableForTenThousandSteps(@ForAll long seed) {
        new Trace(seed).run(10_000);
    }

    @Property(tries = 100)
    void whenEveryBuildEndsNothingIsLeftAndEveryFlightIsResolved(@ForAll long seed) {
        Trace trace = new Trace(seed);
        trace.run(100);
        for (int i = 0; i < 10; i++) {
            trace.complete();
            trace.complete();
        }

        assertThat(Stream.concat(trace.state.running(), trace.state.pending().stream()))
                .isEmpty();
        assertThat(trace.resolved)
                .isEqualTo(trace.criticalWhenStarted.keySet().stream()
                        .collect(Collectors.collectingAndThen(Collectors.toSet(), started -> {
                            Set<Long> all = new HashSet<>(started);
                            all.addAll(trace.model.resolved.keySet());
                            return all;
                        })));
    }
}
