package org.prismpool.lifecycle.shutdown;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;

/** The phase and what is known of each step. Confined to the controller's lock. */
final class ShutdownProgress {

    private ShutdownPhase phase = ShutdownPhase.RUNNING;
    private OptionalInt signal = OptionalInt.empty();
    private OptionalLong signalNanos = OptionalLong.empty();
    private boolean releaseClaimed;
    private Optional<QuiescenceResult> quiescence = Optional.empty();
    private Optional<LeasePort.Outcome> leaseOutcome = Optional.empty();
    private Optional<Duration> releaseTime = Optional.empty();
    private Optional<Duration> signalToRelease = Optional.empty();
    private Optional<ShutdownReport> report = Optional.empty();
    private Optional<DrainReport> drain = Optional.empty();

    ShutdownPhase phase() {
        return phase;
    }

    void moveTo(ShutdownPhase next) {
        if (!phase.mayMoveTo(next)) {
            throw new IllegalStateException("shutdown cannot go from " + phase + " to " + next);
        }
        phase = next;
    }

    /** Remembers the first signal and when it came. */
    void signalled(OptionalInt number, long nowNanos) {
        if (number.isPresent() && signal.isEmpty()) {
            signal = number;
            signalNanos = OptionalLong.of(nowNanos);
        }
    }

    OptionalInt signal() {
        return signal;
    }

    boolean releaseClaimed() {
        return releaseClaimed;
    }

    void claimRelease() {
        moveTo(ShutdownPhase.RELEASING_LEASE);
        releaseClaimed = true;
    }

    void quiescence(QuiescenceResult result) {
        quiescence = Optional.of(result);
    }

    void released(LeasePort.Outcome outcome, Duration took, long nowNanos) {
        leaseOutcome = Optional.of(outcome);
        releaseTime = Optional.of(took);
        if (outcome.released() && signalNanos.isPresent()) {
            signalToRelease = Optional.of(Duration.ofNanos(nowNanos - signalNanos.getAsLong()));
        }
        moveTo(
                switch (outcome) {
                    case FAILURE -> ShutdownPhase.LEASE_RELEASE_FAILED;
                    case TIMEOUT -> ShutdownPhase.LEASE_RELEASE_TIMED_OUT;
                    default -> ShutdownPhase.LEASE_RELEASED;
                });
    }

    Optional<Duration> signalToRelease() {
        return signalToRelease;
    }

    void report(ShutdownReport made) {
        report = Optional.of(made);
    }

    Optional<ShutdownReport> report() {
        return report;
    }

    DrainReport drained(DrainReport made) {
        moveTo(ShutdownPhase.COMPLETE);
        drain = Optional.of(made);
        return made;
    }

    Optional<DrainReport> drain() {
        return drain;
    }

    ShutdownSnapshot snapshot(SortedMap<WriterComponent, Integer> openWriters) {
        boolean withheld = report.map(ShutdownReport::withheld).orElse(phase == ShutdownPhase.RELEASE_WITHHELD);
        return new ShutdownSnapshot(
                phase,
                phase.owned() ? 1 : 0,
                openWriters,
                quiescence,
                releaseClaimed ? 1 : 0,
                leaseOutcome,
                releaseTime,
                signalToRelease,
                withheld,
                drain.map(DrainReport::elapsed));
    }
}
