package org.prismpool.delivery.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.prismpool.delivery.DeliveryMetrics.Stage;
import org.prismpool.delivery.DeliveryOutcome;
import org.prismpool.delivery.FanoutCall;
import org.prismpool.delivery.FanoutSummary;

/**
 * One fan-out, driven by its caller's thread (spec 07 §3.8): small commits posted to the connections' event loops, at most
 * so many submitted and not handed over at a time, each client's trouble its own.
 */
final class FanoutWave<W, J> {

    private static final Duration SLICE = Duration.ofMillis(50);
    private static final long LIVE_CHECK_NANOS = Duration.ofSeconds(1).toNanos();

    /** What the driver waits for. */
    private sealed interface Event {}

    private record HandedOver() implements Event {}

    private record Ended(DeliveryOutcome outcome, long nanos) implements Event {}

    private final DeliveryContext<W, J> context;
    private final FanoutCall<W> call;
    private final BooleanSupplier closing;
    private final FanoutGauge gauge;
    private final FanoutAdmission admission = new FanoutAdmission();
    private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>(); // bounded by two for each item
    private final Deque<Queued<W, J>> queue;
    private final Tally tally = new Tally();
    private int windowed;
    private int outstanding;
    private long liveCheckedNanos;

    private record Queued<W, J>(FanoutCall.Item<W> item, Optional<ConnectionJobs<W, J>> connection) {}

    /**
     * Prepares a fan-out.
     *
     * @param closing whether delivery is closing
     * @param gauge sizes of the fan-out
     */
    FanoutWave(DeliveryContext<W, J> context, FanoutCall<W> call, BooleanSupplier closing, FanoutGauge gauge) {
        this.context = context;
        this.call = call;
        this.closing = closing;
        this.gauge = gauge;
        this.queue = new ArrayDeque<>(ordered(context, call.items()));
        this.liveCheckedNanos = context.now();
        gauge.width.set(call.maxInFlight());
        gauge.queued.set(queue.size());
    }

    FanoutSummary run() throws InterruptedException {
        FanoutSummary.End end;
        try {
            end = drive();
        } catch (InterruptedException | RuntimeException broken) {
            admission.close();
            throw broken;
        }
        if (end != FanoutSummary.End.COMPLETE) {
            admission.close();
            dropQueued();
            gauge.queued.set(0);
        }
        drain();
        return tally.summary(end, outstanding);
    }

    private FanoutSummary.End drive() throws InterruptedException {
        while (true) {
            call.checks().progress();
            Optional<FanoutSummary.End> stop = stopped();
            if (stop.isEmpty()) {
                stop = submitWhileRoom();
            }
            if (stop.isPresent()) {
                return stop.get();
            }
            if (queue.isEmpty() && outstanding == 0) {
                return FanoutSummary.End.COMPLETE;
            }
            take(SLICE);
        }
    }

    private Optional<FanoutSummary.End> stopped() throws InterruptedException {
        if (closing.getAsBoolean()) {
            return Optional.of(FanoutSummary.End.CLOSED);
        }
        if (call.cancel().cancelled()) {
            return Optional.of(FanoutSummary.End.CANCELLED);
        }
        if (call.deadline().expired()) {
            return Optional.of(FanoutSummary.End.DEADLINE);
        }
        if (outstanding > 0 && context.now() - liveCheckedNanos >= LIVE_CHECK_NANOS) {
            Optional<String> refused = call.checks().liveCheck(false);
            liveCheckedNanos = context.now();
            return refused.map(reason -> FanoutSummary.End.INVALIDATED);
        }
        return Optional.empty();
    }

    private Optional<FanoutSummary.End> submitWhileRoom() throws InterruptedException {
        while (windowed < call.maxInFlight() && !queue.isEmpty()) {
            if (call.cancel().cancelled() || !call.checks().current()) {
                return Optional.of(FanoutSummary.End.CANCELLED);
            }
            if (call.checks().liveCheck(true).isPresent()) {
                return Optional.of(FanoutSummary.End.INVALIDATED);
            }
            submit(queue.remove());
            gauge.queued.set(queue.size());
            collect();
        }
        return Optional.empty();
    }

    private void submit(Queued<W, J> next) {
        tally.submitted(context.now());
        if (next.connection().isEmpty()) {
            tally.ended(DeliveryOutcome.DISCONNECTED, context.now());
            return;
        }
        windowed++;
        outstanding++;
        gauge.inFlight.incrementAndGet();
        DeliveryOrder.Policy policy = DeliveryOrder.Policy.fanout(next.item().capturedJobId(), admission);
        BooleanSupplier current = () -> !admission.closed()
                && !call.cancel().cancelled()
                && call.checks().current();
        DeliveryRun<W, J> run = DeliveryRun.start(
                context,
                next.connection().get(),
                new DeliveryOrder<>(next.item().work(), policy, Optional.empty(), current));
        DeliveryContext.whenDone(run.handedOver(), (done, failure) -> events.add(new HandedOver()));
        DeliveryContext.whenDone(run.outcome(), (outcome, failure) -> {
            gauge.inFlight.decrementAndGet();
            events.add(new Ended(failure == null ? outcome : DeliveryOutcome.FAILED, context.now()));
        });
    }

    /** Takes what is there, without waiting. */
    private void collect() {
        for (Optional<Event> next = next(); next.isPresent(); next = next()) {
            handle(next.get());
        }
    }

    private Optional<Event> next() {
        return Optional.ofNullable(events.poll());
    }

    private void take(Duration atMost) throws InterruptedException {
        Optional.ofNullable(events.poll(atMost.toNanos(), TimeUnit.NANOSECONDS)).ifPresent(this::handle);
        collect();
    }

    private void handle(Event event) {
        if (event instanceof Ended ended) {
            outstanding--;
            tally.ended(ended.outcome(), ended.nanos());
        } else {
            windowed--;
        }
    }

    private void dropQueued() {
        while (!queue.isEmpty()) {
            queue.remove();
            context.metrics().cancelled(Stage.EXECUTOR_QUEUE);
            tally.skipped++;
        }
    }

    /** Waits for what was handed over or is about to refuse; nothing new is committed meanwhile. */
    private void drain() throws InterruptedException {
        while (outstanding > 0 && !call.deadline().expired() && !closing.getAsBoolean()) {
            call.checks().progress();
            take(SLICE);
        }
        collect();
    }

    /** Stale clients first, the fastest of them first; then those without a job. */
    private static <W, J> List<Queued<W, J>> ordered(DeliveryContext<W, J> context, List<FanoutCall.Item<W>> items) {
        record Ranked<W, J>(Queued<W, J> queued, boolean jobless, long hashrate) {}
        List<Ranked<W, J>> ranked = new ArrayList<>();
        for (FanoutCall.Item<W> item : items) {
            Optional<ConnectionJobs<W, J>> connection = context.connection(item.connectionId());
            boolean jobless = connection.flatMap(ConnectionJobs::current).isEmpty();
            long hashrate =
                    connection.map(known -> known.target.state().hashrate()).orElse(0L);
            ranked.add(new Ranked<>(new Queued<>(item, connection), jobless, hashrate));
        }
        ranked.sort(Comparator.comparing((Ranked<W, J> one) -> one.jobless())
                .thenComparing(one -> one.hashrate(), Comparator.reverseOrder()));
        return ranked.stream().map(Ranked::queued).toList();
    }

    /** Counts of the wave. */
    private static final class Tally {

        private int sent;
        private int skipped;
        private int disconnected;
        private int failed;
        private int busy;
        private OptionalLong firstSubmission = OptionalLong.empty();
        private OptionalLong firstDelivery = OptionalLong.empty();
        private OptionalLong lastDelivery = OptionalLong.empty();

        private void submitted(long nanos) {
            firstSubmission = firstSubmission.isPresent() ? firstSubmission : OptionalLong.of(nanos);
        }

        private void ended(DeliveryOutcome outcome, long nanos) {
            switch (outcome) {
                case SENT -> {
                    sent++;
                    firstDelivery = firstDelivery.isPresent() ? firstDelivery : OptionalLong.of(nanos);
                    lastDelivery = OptionalLong.of(nanos);
                }
                case SLOT_BUSY -> {
                    skipped++;
                    busy++;
                }
                case DISCONNECTED -> disconnected++;
                case FAILED -> failed++;
                case NOT_NEEDED, STALE, GATE_REFUSED, NO_WORK, QUEUE_FULL, CANCELLED -> skipped++;
            }
        }

        private FanoutSummary summary(FanoutSummary.End end, int undrained) {
            return new FanoutSummary(
                    sent,
                    skipped,
                    disconnected,
                    failed,
                    busy,
                    undrained,
                    end,
                    firstSubmission,
                    firstDelivery,
                    lastDelivery);
        }
    }
}
