package org.prismpool.delivery.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.prismpool.delivery.DeliveryConfig;
import org.prismpool.delivery.DeliveryOutcome;
import org.prismpool.delivery.DeliveryPorts;
import org.prismpool.delivery.Generations;
import org.prismpool.lifecycle.testing.ManualClock;

/** The races of spec 07 §9 that delivery has, on real threads and from one barrier each. */
@NullUnmarked // maps and references that the test fills itself
class DeliveryRaceTest {

    private static final int ROUNDS = 2_000;

    private final ExecutorService pair = Executors.newFixedThreadPool(2);

    @AfterEach
    void shutdown() {
        pair.shutdownNow();
    }

    private void race(int rounds, Callable<?> first, Callable<?> second, Callable<?> afterRound) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(2);
        for (int round = 0; round < rounds; round++) {
            List<Future<?>> both = new ArrayList<>();
            for (Callable<?> body : List.of(first, second)) {
                both.add(pair.submit(() -> {
                    barrier.await(60, TimeUnit.SECONDS);
                    return body.call();
                }));
            }
            for (Future<?> one : both) {
                one.get(60, TimeUnit.SECONDS);
            }
            afterRound.call();
        }
    }

    @Test
    void aCommitAndTheTimerThatGivesItUpNeverBothWin() throws Exception {
        AtomicReference<DeliveryRig> rig = new AtomicReference<>();
        AtomicReference<CompletableFuture<DeliveryOutcome>> outcome = new AtomicReference<>();
        Callable<?> prepare = () -> {
            DeliveryRig fresh = new DeliveryRig();
            FakeTarget client = fresh.connect(1);
            client.loopStuck = true;
            DeliveryContext<String, String> context = new DeliveryContext<>(DeliveryConfig.defaults(), ports(fresh));
            ConnectionJobs<String, String> connection = new ConnectionJobs<>(1, client, fresh.clock);
            outcome.set(DeliveryRun.start(
                            context,
                            connection,
                            new DeliveryOrder<>(
                                    fresh.work.current(),
                                    DeliveryOrder.Policy.firstJob(),
                                    Optional.empty(),
                                    () -> true))
                    .outcome());
            fresh.clock.advance(Duration.ofSeconds(2));
            rig.set(fresh);
            contexts.set(context);
            return true;
        };
        prepare.call();

        race(
                ROUNDS,
                () -> {
                    rig.get().client(1).runLoop();
                    return true;
                },
                () -> {
                    contexts.get().waits.poll();
                    return true;
                },
                () -> {
                    DeliveryOutcome ended = outcome.get().get(60, TimeUnit.SECONDS);
                    assertThat(ended).isIn(DeliveryOutcome.SENT, DeliveryOutcome.SLOT_BUSY);
                    assertThat(rig.get().client(1).written).hasSize(ended == DeliveryOutcome.SENT ? 1 : 0);
                    assertThat(rig.get().work.inside)
                            .as("the gate was left exactly once")
                            .hasValue(0);
                    return prepare.call();
                });
    }

    private final AtomicReference<DeliveryContext<String, String>> contexts = new AtomicReference<>();

    private static DeliveryPorts<String> ports(DeliveryRig rig) {
        return new DeliveryPorts<>(rig.work, rig.work, rig, rig, rig.clock);
    }

    @Test
    void aClosedFanoutAdmitsNobodyAndCountsThoseBefore() throws Exception {
        AtomicReference<FanoutAdmission> admission = new AtomicReference<>(new FanoutAdmission());
        AtomicReference<Boolean> admitted = new AtomicReference<>(false);
        AtomicReference<Long> seenAfterClose = new AtomicReference<>(0L);

        race(
                ROUNDS,
                () -> {
                    admitted.set(admission.get().begin());
                    return true;
                },
                () -> {
                    admission.get().close();
                    seenAfterClose.set(admission.get().admitted());
                    return true;
                },
                () -> {
                    assertThat(seenAfterClose.get()).isEqualTo(admitted.get() ? 1 : 0);
                    assertThat(admission.get().begin()).isFalse();
                    admission.set(new FanoutAdmission());
                    return true;
                });
    }

    @Test
    void aSlotThatIsReleasedWhileAWaiterGivesUpIsNeverLost() throws Exception {
        ManualClock clock = new ManualClock();
        DeliverySlot slot = new DeliverySlot(clock);
        AtomicReference<DeliverySlot.Hold> hold =
                new AtomicReference<>(slot.tryAcquire().orElseThrow());
        AtomicReference<CompletableFuture<Optional<DeliverySlot.Hold>>> waiter =
                new AtomicReference<>(slot.acquire(clock.nanoTime()));

        race(
                ROUNDS,
                () -> {
                    hold.get().release();
                    return true;
                },
                () -> {
                    slot.expire();
                    return true;
                },
                () -> {
                    Optional<DeliverySlot.Hold> got = waiter.get().get(60, TimeUnit.SECONDS);
                    assertThat(slot.heldSinceNanos().isPresent()).isEqualTo(got.isPresent());
                    hold.set(got.isPresent() ? got.get() : slot.tryAcquire().orElseThrow());
                    waiter.set(slot.acquire(clock.nanoTime()));
                    return true;
                });
    }

    @Test
    void aReplacementThatRacesTheRunningRequestIsServedAndNeverDisconnected() throws Exception {
        DeliveryRig rig = new DeliveryRig();
        AtomicInteger number = new AtomicInteger();
        AtomicReference<FakeTarget> client = new AtomicReference<>(rig.connect(1));

        race(
                40,
                () -> rig.engine.requestFirstJob(client.get().id),
                () -> {
                    client.get().generations = new Generations(2, 0, "second");
                    return rig.engine.requestFirstJob(client.get().id);
                },
                () -> {
                    await().atMost(Duration.ofSeconds(10)).until(() -> {
                        rig.engine.tick();
                        return rig.engine.stats().firstJobsPending() == 0;
                    });
                    assertThat(client.get().disconnects).isEmpty();
                    assertThat(client.get().last().generations().worker()).isEqualTo("second");
                    client.set(rig.connect(number.incrementAndGet() + 1L));
                    return true;
                });
        rig.engine.close();
    }

    @Test
    void nothingOfDeliveryIsLockedWhileItCallsOut() throws Exception {
        DeliveryRig rig = new DeliveryRig().served(3);
        FakeTarget client = rig.client(2);
        AtomicInteger calls = new AtomicInteger();
        client.beforeStamp = () -> {
            Future<?> elsewhere = pair.submit(() -> {
                rig.engine.select(rig.work.query());
                rig.engine.find(2, "prism-1", "worker.2");
                rig.engine.coverage();
                rig.engine.stats();
                rig.engine.requestFirstJob(2);
                rig.engine.activeJob(2);
                rig.engine.tipPublished(
                        new org.prismpool.delivery.TipChange("B", Optional.of("A"), java.util.OptionalLong.of(1)));
                rig.engine.tick();
                return calls.incrementAndGet();
            });
            try {
                elsewhere.get(60, TimeUnit.SECONDS);
            } catch (Exception blocked) {
                throw new IllegalStateException("another thread was locked out", blocked);
            }
        };
        rig.publish("B");

        assertThat(rig.fanOut().sent()).isEqualTo(3);
        assertThat(calls).hasValue(1);
    }
}
