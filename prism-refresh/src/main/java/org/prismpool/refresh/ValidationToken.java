package org.prismpool.refresh;

import java.util.Objects;
import java.util.Optional;

/**
 * Proof that the expensive checks of a pass passed once; every later check compares it with the current authority.
 *
 * @param snapshot the snapshot of the pass, compared by identity
 * @param observationSequence observation that the pass works for
 * @param payoutGeneration payout generation that the pass works for
 * @param epoch sequence of the refresh epoch; zero outside the epoch mode
 * @param buildKey identity of the bundle, compared by identity; empty for collection work
 */
public record ValidationToken(
        TemplateSnapshot<?> snapshot,
        long observationSequence,
        long payoutGeneration,
        long epoch,
        Optional<WorkIdentity> buildKey) {

    /** Checks the components. */
    public ValidationToken {
        Objects.requireNonNull(snapshot, "snapshot");
        Objects.requireNonNull(buildKey, "buildKey");
    }
}
