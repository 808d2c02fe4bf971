package org.prismpool.lifecycle.shutdown;

import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One consistent reading of the shutdown state, for health and metrics.
 *
 * @param phase where the process is
 * @param shutdowns shutdowns begun: 0 or 1
 * @param openWriters open tickets by component; only components that have some
 * @param quiescence outcome of the writer barrier, once it is over
 * @param releaseAttempts lease releases begun: 0 or 1
 * @param leaseOutcome outcome of the release, once it is known
 * @param leaseReleaseTime how long the release took, once it is over
 * @param signalToRelease time from the first signal to a release that let a successor in, once there is one
 * @param withheld true if the lease was kept on purpose
 * @param drainTime how long the drain took, once it is over
 */
public record ShutdownSnapshot(
        ShutdownPhase phase,
        int shutdowns,
        SortedMap<WriterComponent, Integer> openWriters,
        Optional<QuiescenceResult> quiescence,
        int releaseAttempts,
        Optional<LeasePort.Outcome> leaseOutcome,
        Optional<Duration> leaseReleaseTime,
        Optional<Duration> signalToRelease,
        boolean withheld,
        Optional<Duration> drainTime) {

    /** Copies the map. */
    public ShutdownSnapshot {
        openWriters = Collections.unmodifiableSortedMap(new TreeMap<>(openWriters));
    }
}
