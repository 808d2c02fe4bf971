package org.prismpool.refresh.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.refresh.DetectedTip;
import org.prismpool.refresh.PayoutAuthority;
import org.prismpool.refresh.PublicationGate;

/** A payout state that tests fence and publish. */
final class FakeGate implements PublicationGate {

    private final SimulatedTime time;
    final List<DetectedTip> tips = new ArrayList<>();
    private PayoutAuthority state = new PayoutAuthority(5, Optional.of("digest 5"), 0, false);
    boolean busy;
    Runnable beforeSection = () -> {};
    Runnable onCurrent = () -> {};

    FakeGate(SimulatedTime time) {
        this.time = time;
    }

    @Override
    public PayoutAuthority current() {
        onCurrent.run();
        return state;
    }

    void fence() {
        state = new PayoutAuthority(state.generation(), state.digest(), state.appendEpoch(), true);
    }

    void publish(long generation) {
        state = new PayoutAuthority(generation, Optional.of("digest " + generation), state.appendEpoch(), false);
    }

    void bumpAppendEpoch() {
        state = new PayoutAuthority(state.generation(), state.digest(), state.appendEpoch() + 1, state.fenced());
    }

    @Override
    public <R> Admission<R> admit(long payoutGeneration, Deadline deadline, Function<PayoutAuthority, R> section) {
        if (busy) {
            time.pass(shorter(deadline.remaining(), Duration.ofMillis(50)));
            return new AdmissionTimedOut<>();
        }
        if (state.fenced()) {
            return new Fenced<>();
        }
        if (state.generation() != payoutGeneration) {
            return new WrongGeneration<>();
        }
        beforeSection.run();
        return new Admitted<>(section.apply(state));
    }

    @Override
    public void tipDetected(DetectedTip tip) {
        tips.add(tip);
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }
}
