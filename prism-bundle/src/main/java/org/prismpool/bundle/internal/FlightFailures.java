package org.prismpool.bundle.internal;

import org.prismpool.bundle.BundleException;
import org.prismpool.bundle.BundleFailure;

/** The failures that the scheduler itself gives to promises. */
final class FlightFailures {

    static final String CAPACITY = "capacity available";

    private FlightFailures() {}

    static BundleException superseded(String reason) {
        return new BundleException(BundleFailure.SUPERSEDED, "scheduler admission", reason);
    }

    static BundleException timedOut(String phase) {
        return new BundleException(BundleFailure.PHASE_TIMEOUT, phase, "job build timed out");
    }

    static BundleException shutdown() {
        return new BundleException(BundleFailure.SHUTDOWN, "scheduler admission", "the bundle service is closed");
    }

    static BundleException startFailed() {
        return new BundleException(BundleFailure.BLOCKED, "start", "the build executor refused the build");
    }
}
