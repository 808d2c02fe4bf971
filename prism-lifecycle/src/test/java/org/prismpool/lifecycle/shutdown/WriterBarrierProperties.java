package org.prismpool.lifecycle.shutdown;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.prismpool.lifecycle.event.LifecycleEvents;
import org.prismpool.lifecycle.testing.FakeLease;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.testing.TestThreads;
import org.prismpool.lifecycle.time.MonotonicClock;

class WriterBarrierProperties {

    private static final List<WriterComponent> COMPONENTS = List.of(
            WriterComponent.SHARE_SUBMISSION,
            WriterComponent.SHARE_PERSISTENCE,
            WriterComponent.ACCEPTED_BLOCK_HANDLING);

    /** Against a model: who is admitted, what is counted, and that nothing is released while it is open. */
    @Property(tries = 500)
    void admissionFollowsTheModel(@ForAll @Size(max = 60) List<@IntRange(min = 0, max = 99) Integer> commands) {
        FakeLease lease = new FakeLease();
        ManualClock clock = new ManualClock();
        ShutdownController gate =
                new ShutdownController(ShutdownConfig.defaults(), lease, clock, LifecycleEvents.none());
        List<WriterTicket> open = new ArrayList<>();
        int entered = 0;
        boolean requested = false;
        boolean released = false;
        for (int command : commands) {
            WriterComponent component = COMPONENTS.get(command % COMPONENTS.size());
            if (command < 35) {
                boolean admitted = !released && (!requested || entered > 0);
                Optional<WriterTicket> ticket = attempt(admitted, () -> gate.enter(component));
                ticket.ifPresent(open::add);
                entered += ticket.isPresent() ? 1 : 0;
            } else if (command < 80 && !open.isEmpty()) {
                WriterTicket closing = open.remove(command % open.size());
                closing.close();
                closing.close();
                entered--;
            } else if (command < 90) {
                gate.request(OptionalInt.empty());
                requested = true;
            } else if (open.isEmpty()) {
                assertThat(gate.shutdown("graceful").released()).isTrue();
                requested = true;
                released = true;
            }
            int counted = gate.snapshot().openWriters().values().stream()
                    .mapToInt(Integer::intValue)
                    .sum();
            assertThat(counted).isEqualTo(open.size());
            assertThat(lease.releases()).isEqualTo(released ? 1 : 0);
        }
        open.forEach(WriterTicket::close);
        assertThat(gate.snapshot().openWriters()).isEmpty();
    }

    /** Real threads: work is counted as open by itself, and the release looks at that count. */
    @Property(tries = 60)
    void noAdmittedWriterOutlivesTheRelease(
            @ForAll @IntRange(min = 1, max = 4) int threads,
            @ForAll @IntRange(min = 0, max = 200) int spin,
            @ForAll boolean nested)
            throws Exception {
        AtomicInteger writing = new AtomicInteger();
        AtomicBoolean releasedOverAWriter = new AtomicBoolean();
        FakeLease lease = new FakeLease().answering(deadline -> {
            releasedOverAWriter.set(writing.get() > 0);
            return LeasePort.Outcome.SUCCESS;
        });
        ShutdownController gate = new ShutdownController(
                ShutdownConfig.defaults().withWriterQuiescenceTimeout(Duration.ofSeconds(20)),
                lease,
                MonotonicClock.system(),
                LifecycleEvents.none());
        CyclicBarrier start = new CyclicBarrier(threads + 1);
        List<CompletableFuture<Integer>> writers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            writers.add(TestThreads.run("writer-" + i, () -> {
                start.await(10, TimeUnit.SECONDS);
                return writeUntilRefused(gate, writing, nested);
            }));
        }
        start.await(10, TimeUnit.SECONDS);
        for (int i = 0; i < spin; i++) {
            Thread.onSpinWait();
        }

        ShutdownReport report = gate.shutdown("graceful");

        for (CompletableFuture<Integer> writer : writers) {
            TestThreads.result(writer);
        }
        assertThat(report.released()).isTrue();
        assertThat(releasedOverAWriter).isFalse();
        assertThat(writing).hasValue(0);
        assertThat(lease.releases()).isOne();
    }

    private static int writeUntilRefused(ShutdownController gate, AtomicInteger writing, boolean nested) {
        int writes = 0;
        try {
            while (true) {
                try (WriterTicket outer = gate.enter(WriterComponent.SHARE_SUBMISSION)) {
                    writing.incrementAndGet();
                    if (nested) {
                        gate.enter(WriterComponent.ACCEPTED_BLOCK_HANDLING).close();
                        gate.reserve(WriterComponent.SHARE_PERSISTENCE, outer).close();
                    }
                    writes++;
                    writing.decrementAndGet();
                }
            }
        } catch (ShutdownInProgressException over) {
            return writes;
        }
    }

    private static Optional<WriterTicket> attempt(boolean admitted, Supplier<WriterTicket> entering) {
        if (admitted) {
            return Optional.of(entering.get());
        }
        assertThatThrownBy(entering::get).isInstanceOf(ShutdownInProgressException.class);
        return Optional.empty();
    }
}
