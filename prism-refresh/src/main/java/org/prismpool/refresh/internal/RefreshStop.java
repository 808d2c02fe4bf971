package org.prismpool.refresh.internal;

import java.util.Objects;
import org.prismpool.refresh.FailureKind;
import org.prismpool.refresh.TimeoutLabel;

/** Ends a pass without success. Thrown and caught on the refresh owner's thread only. */
final class RefreshStop extends RuntimeException {

    private final FailureKind kind;
    private final TimeoutLabel label;
    private final boolean trust;

    private RefreshStop(FailureKind kind, TimeoutLabel label, boolean trust, String reason) {
        super(Objects.requireNonNull(reason, "reason"));
        this.kind = kind;
        this.label = label;
        this.trust = trust;
    }

    static RefreshStop superseded(String reason) {
        return new RefreshStop(FailureKind.SUPERSEDED, TimeoutLabel.REFRESH, false, reason);
    }

    static RefreshStop payoutPending(String reason) {
        return new RefreshStop(FailureKind.PAYOUT_PENDING, TimeoutLabel.REFRESH, false, reason);
    }

    static RefreshStop timeout(TimeoutLabel label) {
        return new RefreshStop(FailureKind.PHASE_TIMEOUT, label, false, "phase timeout: " + label.wireName());
    }

    static RefreshStop blocked(String reason) {
        return new RefreshStop(FailureKind.BLOCKED, TimeoutLabel.REFRESH, false, reason);
    }

    static RefreshStop blocked(String reason, Throwable cause) {
        RefreshStop stop = blocked(reason);
        stop.initCause(cause);
        return stop;
    }

    static RefreshStop untrusted(String reason) {
        return new RefreshStop(FailureKind.BLOCKED, TimeoutLabel.REFRESH, true, reason);
    }

    static RefreshStop untrustedBecause(String reason, Throwable cause) {
        RefreshStop stop = untrusted(reason);
        stop.initCause(cause);
        return stop;
    }

    static RefreshStop shutdown() {
        return new RefreshStop(FailureKind.SHUTDOWN, TimeoutLabel.REFRESH, false, "shutting down");
    }

    FailureKind kind() {
        return kind;
    }

    TimeoutLabel label() {
        return label;
    }

    /** Tells whether the chain view or the reconcile pass was not trusted. */
    boolean trust() {
        return trust;
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
