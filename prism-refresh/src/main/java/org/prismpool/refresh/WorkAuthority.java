package org.prismpool.refresh;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.templates.chain.Hash256;

/**
 * The one immutable answer to "what does the pool work on": swapped as a whole, so that no reader sees a new tip with an
 * old snapshot.
 *
 * @param detected newest live tip that anyone saw
 * @param detectionEpoch plus one each time the detected hash changed; tells A to B to A from A
 * @param published tip that shares are classified against
 * @param divergenceNanos monotonic instant of the first detection that departed from the published tip
 * @param work what is published; empty before the first publication
 * @param epoch current refresh epoch; empty outside the epoch mode
 * @param fanout fan-out under way
 * @param retainedCollection published collection work that no client has received yet
 * @param <T> the template's type
 * @param <W> the bundle's type
 */
public record WorkAuthority<T, W>(
        Optional<DetectedTip> detected,
        long detectionEpoch,
        Optional<PublishedTip> published,
        OptionalLong divergenceNanos,
        Optional<PublishedWork<T, W>> work,
        Optional<RefreshEpoch> epoch,
        Optional<ActiveFanout> fanout,
        Optional<RetainedCollection> retainedCollection) {

    /** Checks the components. */
    public WorkAuthority {
        Objects.requireNonNull(detected, "detected");
        Objects.requireNonNull(published, "published");
        Objects.requireNonNull(divergenceNanos, "divergenceNanos");
        Objects.requireNonNull(work, "work");
        Objects.requireNonNull(epoch, "epoch");
        Objects.requireNonNull(fanout, "fanout");
        Objects.requireNonNull(retainedCollection, "retainedCollection");
    }

    /**
     * Returns the authority of a process that has seen nothing.
     *
     * @param <T> the template's type
     * @param <W> the bundle's type
     * @return the empty authority
     */
    public static <T, W> WorkAuthority<T, W> empty() {
        return new WorkAuthority<>(
                Optional.empty(),
                0,
                Optional.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /**
     * Returns the newest tip that is known.
     *
     * @return the detected tip, else the published one
     */
    public Optional<Hash256> newestKnownTip() {
        return detected.map(DetectedTip::hash).or(() -> published.map(PublishedTip::hash));
    }

    /**
     * Returns the sequence of the current epoch.
     *
     * @return zero outside the epoch mode
     */
    public long epochSequence() {
        return epoch.map(RefreshEpoch::sequence).orElse(0L);
    }

    /**
     * Tells whether a live tip was seen that is not published.
     *
     * @return true iff both are known and differ
     */
    public boolean diverged() {
        return published.isPresent()
                && detected.isPresent()
                && !detected.get().hash().equals(published.get().hash());
    }
}
