package org.prismpool.delivery.internal;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.prismpool.delivery.CurrentState;
import org.prismpool.delivery.CurrentWork;
import org.prismpool.delivery.DeliveryGate;
import org.prismpool.delivery.PreparedWork;
import org.prismpool.delivery.WorkKey;
import org.prismpool.delivery.WorkQuery;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;

/** Current work and payout gate in memory; written by the test, read by every thread. */
final class FakeWork implements CurrentWork<String>, DeliveryGate {

    volatile String tip = "A";
    volatile String detected = "A";
    volatile String fingerprint = "f1";
    final AtomicLong generations = new AtomicLong(1);
    volatile long payout = 5;
    volatile String digest = "d5";
    volatile long appendEpoch;
    volatile boolean authoritative = true;
    volatile boolean nothingPublished;
    volatile boolean ready = true;
    volatile Optional<CurrentState.Epoch> epoch = Optional.empty();
    volatile Optional<CurrentWork.Answer<String>> answer = Optional.empty();
    volatile LiveTip live = LiveTip.EXTENDS_BEST;
    volatile boolean askedWithPriority;
    volatile boolean gateWaits;
    volatile boolean gateFenced;
    volatile Runnable beforePrepare = () -> {};
    final AtomicInteger prepared = new AtomicInteger();
    final AtomicInteger inside = new AtomicInteger();
    final AtomicInteger deliveredPasses = new AtomicInteger();

    @Override
    public CurrentState state() {
        return new CurrentState(
                nothingPublished
                        ? Optional.empty()
                        : Optional.of(new CurrentState.Published(tip, fingerprint, generations.get())),
                authoritative,
                Optional.of(detected),
                payout(),
                ready,
                epoch);
    }

    CurrentState.Payout payout() {
        return new CurrentState.Payout(payout, Optional.of(digest), appendEpoch);
    }

    PreparedWork<String> current() {
        WorkKey key = new WorkKey(
                tip,
                fingerprint,
                generations.get(),
                payout,
                digest,
                appendEpoch,
                !ready,
                epoch.map(CurrentState.Epoch::sequence).orElse(0L));
        return new PreparedWork<>(key, "work on " + tip);
    }

    WorkQuery query() {
        return new WorkQuery(tip, fingerprint, payout(), ready, epoch);
    }

    void nextGeneration() {
        generations.incrementAndGet();
    }

    void publish(String newTip) {
        tip = newTip;
        detected = newTip;
        fingerprint = "f of " + newTip;
        nextGeneration();
    }

    @Override
    public CurrentWork.Answer<String> prepare(Request request, Deadline deadline, CancelSignal cancel) {
        beforePrepare.run();
        prepared.incrementAndGet();
        return answer.orElseGet(() -> new Ready<>(current()));
    }

    @Override
    public LiveTip probe(PreparedWork<String> work, Deadline deadline) {
        return live;
    }

    @Override
    public Optional<PreparedWork<String>> sameWithNewestTime(Request request, WorkKey key, Deadline deadline) {
        nextGeneration();
        return Optional.of(current());
    }

    @Override
    public DeliveryGate.Answer tryAdmit(long payoutGeneration, boolean priority) {
        askedWithPriority = priority;
        if (gateWaits) {
            return new Wait();
        }
        if (gateFenced || payoutGeneration < payout) {
            return new Refused(gateFenced ? "fenced" : "stale");
        }
        inside.incrementAndGet();
        return new Admitted(delivered -> {
            inside.decrementAndGet();
            if (delivered) {
                deliveredPasses.incrementAndGet();
            }
        });
    }
}
