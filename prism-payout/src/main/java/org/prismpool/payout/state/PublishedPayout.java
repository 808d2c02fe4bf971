package org.prismpool.payout.state;

import java.util.Objects;
import org.prismpool.templates.chain.Hash256;

/**
 * The payout state that work may be built and delivered under.
 *
 * @param generation 0 before the first publication, one more per publication; stamped on every bundle and job
 * @param sourceGeneration generation of the {@link PayoutSource} that was published; 0 before the first publication
 * @param sourceTip tip of that source
 * @param publishedNanos monotonic time of the publication
 * @param artifact balances that coinbases of this generation start from
 */
public record PublishedPayout(
        long generation, long sourceGeneration, Hash256 sourceTip, long publishedNanos, BalanceArtifact artifact) {

    /** Checks the components. */
    public PublishedPayout {
        if (generation < 0 || sourceGeneration < 0) {
            throw new IllegalArgumentException("payout generations are never negative");
        }
        Objects.requireNonNull(sourceTip, "sourceTip");
        Objects.requireNonNull(artifact, "artifact");
    }
}
