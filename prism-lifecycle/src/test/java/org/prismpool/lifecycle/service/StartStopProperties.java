package org.prismpool.lifecycle.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import org.prismpool.lifecycle.event.LifecycleEvents;
import org.prismpool.lifecycle.shutdown.DrainReport;
import org.prismpool.lifecycle.shutdown.LeasePort;
import org.prismpool.lifecycle.shutdown.ShutdownConfig;
import org.prismpool.lifecycle.shutdown.ShutdownController;
import org.prismpool.lifecycle.testing.FakeLease;
import org.prismpool.lifecycle.time.MonotonicClock;

/** Whatever is started in whatever order, and wherever the start fails: the stop leaves no thread behind. */
class StartStopProperties {

    private static final Duration SLICE = Duration.ofMillis(5);

    @Property(tries = 150)
    void everyStartOrderAndFailureLeavesNoThreadBehind(
            @ForAll("plans") List<Plan> plans, @ForAll @IntRange(min = 0, max = 7) int stopAfter) {
        FakeLease lease = new FakeLease();
        ShutdownController controller = new ShutdownController(
                ShutdownConfig.defaults(), lease, MonotonicClock.system(), LifecycleEvents.none());
        List<Thread> threads = new CopyOnWriteArrayList<>();
        AtomicInteger failingThreads = new AtomicInteger();
        Heartbeats heartbeats = new Heartbeats(MonotonicClock.system());
        ServiceRegistry registry =
                new ServiceRegistry(controller.stopSignal(), heartbeats, ServiceObserver.none(), SLICE, work -> {
                    if (failingThreads.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                        throw new IllegalStateException("no thread");
                    }
                    Thread thread = new Thread(work);
                    thread.setDaemon(true);
                    threads.add(thread);
                    return thread;
                });
        plans.forEach(plan -> registry.register(plan.spec()));
        List<String> started = start(plans, stopAfter, registry, failingThreads);

        controller.shutdown(started.size() == plans.size() ? "serve_exit" : "serve_startup_exit");
        DrainReport drained = controller.drain(registry.drainOrder());

        assertThat(drained.leftovers()).isEmpty();
        assertThat(threads).noneMatch(Thread::isAlive);
        assertThat(registry.watchedNames(true)).isSubsetOf(started);
        assertThat(lease.releases()).isOne();
        assertThat(controller.snapshot().leaseOutcome()).contains(LeasePort.Outcome.SUCCESS);
    }

    private static List<String> start(
            List<Plan> plans, int stopAfter, ServiceRegistry registry, AtomicInteger failingThreads) {
        List<String> started = new ArrayList<>();
        for (Plan plan : plans.subList(0, Math.min(stopAfter, plans.size()))) {
            failingThreads.set(plan.threadFails() ? 1 : 0);
            try {
                registry.start(plan.name());
            } catch (IllegalStateException failed) {
                if (plan.threadFails()) {
                    return started; // the start of the program ends here
                }
            }
            started.add(plan.name());
        }
        return started;
    }

    @Provide
    Arbitrary<List<Plan>> plans() {
        Arbitrary<Plan> plan = Combinators.combine(
                        Arbitraries.of(Behaviour.class),
                        Arbitraries.of(
                                FailurePolicy.continueAfter(Duration.ofMillis(1)),
                                FailurePolicy.backoff(Duration.ofMillis(1), Duration.ofSeconds(5)),
                                FailurePolicy.fatal(),
                                FailurePolicy.stop()),
                        Arbitraries.of(true, false),
                        Arbitraries.frequency(Tuple.of(5, false), Tuple.of(1, true)),
                        Arbitraries.frequency(Tuple.of(5, false), Tuple.of(1, true)))
                .as((behaviour, policy, watched, hookFails, threadFails) ->
                        new Plan("", behaviour, policy, watched, hookFails, threadFails));
        return plan.list().ofMaxSize(7).map(StartStopProperties::named);
    }

    private static List<Plan> named(List<Plan> plans) {
        List<Plan> named = new ArrayList<>();
        for (Plan plan : plans) {
            named.add(plan.named("service-" + named.size()));
        }
        return named;
    }

    /** What a service does once it runs. */
    enum Behaviour {
        WAITS,
        LOOPS,
        FAILS,
        RETURNS,
        RETIRES,
        SLEEPS_DEAF;

        private void run(LoopControl control) throws Exception {
            switch (this) {
                case WAITS -> control.pause(Duration.ofDays(1));
                case LOOPS -> LoopBody.every(Duration.ofMillis(1), () -> {}).run(control);
                case FAILS -> throw new IllegalStateException("broken");
                case RETURNS -> control.beat("about to return");
                case RETIRES -> control.retire();
                case SLEEPS_DEAF -> new CountDownLatch(1).await();
            }
        }
    }

    /** One service and where its start fails. */
    record Plan(
            String name,
            Behaviour behaviour,
            FailurePolicy policy,
            boolean watched,
            boolean hookFails,
            boolean threadFails) {

        private Plan named(String newName) {
            return new Plan(newName, behaviour, policy, watched, hookFails, threadFails);
        }

        private ServiceSpec spec() {
            ServiceSpec spec = ServiceSpec.of(name, "prism-test-" + name, behaviour::run)
                    .withFailurePolicy(policy)
                    .withJoinBound(behaviour == Behaviour.SLEEPS_DEAF ? Duration.ofMillis(5) : Duration.ofSeconds(10))
                    .withStartHook(() -> {
                        if (hookFails) {
                            throw new IllegalStateException("hook");
                        }
                    });
            return watched ? spec : spec.unwatched();
        }
    }
}
