package org.prismpool.lifecycle.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.shutdown.DrainStep;
import org.prismpool.lifecycle.shutdown.ShutdownInProgressException;
import org.prismpool.lifecycle.shutdown.StopLatch;
import org.prismpool.lifecycle.shutdown.WriterComponent;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.testing.TestThreads;

class ServiceRegistryTest {

    private static final Duration SLICE = Duration.ofMillis(5);
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final ManualClock clock = new ManualClock();
    private final Heartbeats heartbeats = new Heartbeats(clock);
    private final StopLatch stop = new StopLatch();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final ServiceObserver observer = new ServiceObserver() {
        @Override
        public void failed(String service, Throwable cause) {
            told.add("failed " + service);
        }

        @Override
        public void restarted(String service) {
            told.add("restarted " + service);
        }

        @Override
        public void fatal(String service, Throwable cause) {
            told.add("fatal " + service);
        }
    };
    private final ServiceRegistry registry = new ServiceRegistry(stop, heartbeats, observer, SLICE);

    @AfterEach
    void everyServiceEndsWithTheStop() throws Exception {
        stop.raise();
        for (DrainStep step : registry.drainOrder()) {
            assertThat(step.stop().stop(Duration.ofSeconds(10))).isTrue();
        }
    }

    @Test
    void startingTwiceGivesTheSameThread() {
        registry.register(idle("a"));

        ServiceHandle first = registry.start("a");

        assertThat(registry.start("a")).isSameAs(first);
        assertThat(first.running()).isTrue();
        assertThat(first.name()).isEqualTo("a");
    }

    @Test
    void aThreadCarriesItsNameAndIsADaemon() {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        registry.register(ServiceSpec.of("a", "prism-test-a", control -> {
            threads.add(Thread.currentThread());
            control.retire();
        }));

        registry.start("a");

        await().until(() -> threads.size() == 1);
        assertThat(threads.get(0).getName()).isEqualTo("prism-test-a");
        assertThat(threads.get(0).isDaemon()).isTrue();
    }

    @Test
    void namesAndThreadNamesAreUnique() {
        registry.register(idle("a"));

        assertThatThrownBy(() -> registry.register(idle("a"))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> registry.register(ServiceSpec.of("b", "thread-a", control -> {})))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> registry.start("unknown")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ServiceSpec.of(" ", "t", control -> {})).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> idle("c").withJoinBound(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anEquivalentServiceIsAddedOnceAndAConflictingOneRefused() {
        Object listener = new Object();

        assertThat(registry.registerIfAbsent(idle("stratum_accept_highdiff"), listener))
                .isTrue();
        assertThat(registry.registerIfAbsent(idle("stratum_accept_highdiff"), listener))
                .isFalse();

        assertThatThrownBy(() -> registry.registerIfAbsent(idle("stratum_accept_highdiff"), new Object()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> registry.registerIfAbsent(
                        idle("stratum_accept_highdiff").withJoinBound(Duration.ofSeconds(9)), listener))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aThreadThatCannotStartLeavesTheServiceToBeStartedAgain() {
        AtomicInteger attempts = new AtomicInteger();
        ServiceRegistry flaky = new ServiceRegistry(stop, heartbeats, observer, SLICE, work -> {
            if (attempts.incrementAndGet() == 1) {
                throw new IllegalStateException("no thread");
            }
            Thread thread = new Thread(work);
            thread.setDaemon(true);
            return thread;
        });
        flaky.register(idle("a"));

        assertThatThrownBy(() -> flaky.start("a")).hasMessage("no thread");
        assertThat(flaky.drainOrder()).isEmpty();
        assertThat(flaky.watchedNames(true)).isEmpty();
        clock.advance(Duration.ofSeconds(500));
        assertThat(heartbeats.overdue(TIMEOUT)).isEmpty();

        assertThat(flaky.start("a").running()).isTrue();
        assertThat(flaky.drainOrder()).hasSize(1);
    }

    @Test
    void aFailedStartHookIsRetriedWithoutASecondThread() {
        AtomicInteger hooks = new AtomicInteger();
        AtomicInteger bodies = new AtomicInteger();
        registry.register(ServiceSpec.of("a", "thread-a", control -> {
                    bodies.incrementAndGet();
                    control.pause(Duration.ofDays(1));
                })
                .withStartHook(() -> {
                    if (hooks.incrementAndGet() == 1) {
                        throw new IllegalStateException("hook");
                    }
                }));

        assertThatThrownBy(() -> registry.start("a")).hasMessage("hook");
        registry.start("a");
        registry.start("a");

        assertThat(hooks).hasValue(2);
        await().untilAsserted(() -> assertThat(bodies).hasValue(1));
    }

    @Test
    void onlyStartedServicesAreDrainedInTheOrderOfRegistration() {
        registry.register(idle("c"));
        registry.register(idle("a").withJoinBound(Duration.ofSeconds(5)));
        registry.register(idle("b"));
        registry.start("a");
        registry.start("c");

        List<DrainStep> steps = registry.drainOrder();

        assertThat(steps.stream().map(DrainStep::name)).containsExactly("c", "a");
        assertThat(steps.get(1).bound()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void watchedNamesLeaveOutTheUnwatched() {
        registry.register(idle("watched"));
        registry.register(idle("unwatched").unwatched());
        registry.register(idle("later"));
        registry.start("watched");
        registry.start("unwatched");

        assertThat(registry.watchedNames(false)).containsExactly("later", "watched");
        assertThat(registry.watchedNames(true)).containsExactly("watched");
    }

    @Test
    void startingSeedsTheHeartbeatOfAWatchedService() {
        CountDownLatch never = new CountDownLatch(1);
        registry.register(ServiceSpec.of("a", "thread-a", control -> never.await()));
        registry.start("a");

        clock.advance(Duration.ofSeconds(121));

        assertThat(heartbeats.overdue(TIMEOUT)).containsExactly("a");
        never.countDown();
    }

    @Test
    void aFailingLoopIsRunAgainAndCounted() {
        AtomicInteger runs = new AtomicInteger();
        registry.register(ServiceSpec.of("a", "thread-a", control -> {
            if (runs.incrementAndGet() < 3) {
                throw new AssertionError("even an Error");
            }
            control.pause(Duration.ofDays(1));
        }));

        registry.start("a");

        await().untilAsserted(
                        () -> assertThat(told).containsExactly("failed a", "restarted a", "failed a", "restarted a"));
        assertThat(runs).hasValue(3);
    }

    @Test
    void aLoopThatReturnsWithoutBeingToldIsRunAgainAndCounted() {
        AtomicInteger runs = new AtomicInteger();
        registry.register(ServiceSpec.of("a", "thread-a", control -> {
            if (runs.incrementAndGet() == 2) {
                control.pause(Duration.ofDays(1));
            }
        }));

        registry.start("a");

        await().untilAsserted(() -> assertThat(told).containsExactly("restarted a"));
    }

    @Test
    void aLoopThatWorkedInBetweenIsNotBackedOffFurther() {
        AtomicInteger runs = new AtomicInteger();
        registry.register(ServiceSpec.of("a", "thread-a", control -> {
                    control.pause(Duration.ofMillis(1)); // it got as far as its own wait
                    runs.incrementAndGet();
                    throw new IllegalStateException("now and then");
                })
                .withFailurePolicy(FailurePolicy.backoff(Duration.ofMillis(1), Duration.ofDays(1))));

        registry.start("a");

        // doubling from a millisecond, the thirtieth run would be weeks away
        await().until(() -> runs.get() >= 30);
    }

    @Test
    void aStoppingPolicyEndsTheLoopAndItsHeartbeat() {
        registry.register(ServiceSpec.of("a", "thread-a", control -> {
                    throw new IllegalStateException("broken");
                })
                .withFailurePolicy(FailurePolicy.stop()));

        ServiceHandle handle = registry.start("a");

        await().until(() -> !handle.running());
        clock.advance(Duration.ofSeconds(500));
        assertThat(heartbeats.overdue(TIMEOUT)).isEmpty();
        assertThat(told).containsExactly("failed a");
    }

    @Test
    void aFatalPolicyTellsThatTheProcessCannotGoOn() {
        registry.register(ServiceSpec.of("a", "thread-a", control -> {
                    throw new IllegalStateException("broken");
                })
                .withFailurePolicy(FailurePolicy.fatal()));

        ServiceHandle handle = registry.start("a");

        await().until(() -> !handle.running());
        assertThat(told).containsExactly("failed a", "fatal a");
    }

    @Test
    void losingTheAdmissionRaceEndsTheLoopQuietly() {
        registry.register(ServiceSpec.of("a", "thread-a", control -> {
            throw new ShutdownInProgressException(WriterComponent.SHARE_SUBMISSION, false);
        }));

        ServiceHandle handle = registry.start("a");

        await().until(() -> !handle.running());
        assertThat(told).isEmpty();
    }

    @Test
    void aRetiredLoopEndsAndIsNeverOverdue() {
        registry.register(ServiceSpec.of("qbit_blockwait", "thread-a", control -> {
            control.retire();
            control.beat();
        }));

        ServiceHandle handle = registry.start("qbit_blockwait");

        await().until(() -> !handle.running());
        clock.advance(Duration.ofSeconds(500));
        assertThat(heartbeats.overdue(TIMEOUT)).isEmpty();
        assertThat(told).isEmpty();
    }

    @Test
    void aLongWaitOnPurposeIsNotTakenForAHang() {
        registry.register(ServiceSpec.of("qbit_blockpoll", "thread-a", control -> {
            control.beat("hold-off");
            control.pause(Duration.ofSeconds(200));
        }));
        registry.start("qbit_blockpoll");
        await().until(() -> heartbeats.ages().containsKey("qbit_blockpoll"));

        for (int second = 0; second < 5; second++) {
            clock.advance(Duration.ofSeconds(60));
            await().until(() -> heartbeats.overdue(Duration.ofSeconds(59)).isEmpty());
        }
    }

    @Test
    void anEndlessLoopOfTasksBeatsBeforeEachAndStops() {
        AtomicInteger runs = new AtomicInteger();
        registry.register(ServiceSpec.of("a", "thread-a", LoopBody.every(Duration.ofMillis(1), runs::incrementAndGet)));

        ServiceHandle handle = registry.start("a");

        await().until(() -> runs.get() > 3);
        stop.raise();
        await().until(() -> !handle.running());
        assertThat(told).isEmpty();
    }

    @Test
    void aLoopThatIgnoresTheStopIsInterruptedAfterItsBound() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        registry.register(ServiceSpec.of("deaf", "thread-a", control -> {
            started.countDown();
            new CountDownLatch(1).await();
        }));
        ServiceHandle handle = registry.start("deaf");
        TestThreads.await(started);
        stop.raise();

        assertThat(handle.join(Duration.ofMillis(20))).isTrue();
    }

    @Test
    void aServiceDoesNotJoinItself() {
        List<Boolean> joined = new CopyOnWriteArrayList<>();
        registry.register(ServiceSpec.of("a", "thread-a", control -> {
            joined.add(registry.start("a").join(Duration.ofSeconds(30)));
            control.pause(Duration.ofDays(1));
        }));

        registry.start("a");

        await().untilAsserted(() -> assertThat(joined).containsExactly(false));
    }

    private static ServiceSpec idle(String name) {
        return ServiceSpec.of(name, "thread-" + name, control -> control.pause(Duration.ofDays(1)));
    }
}
