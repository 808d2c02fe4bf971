package org.prismpool.refresh;

import java.util.Objects;
import java.util.Optional;
import org.prismpool.templates.chain.Hash256;

/**
 * What submits and job issuance may rely on, read once per decision (spec 07 §2.10).
 *
 * @param published the published tip; empty before the first publication
 * @param authoritative true iff the published tip decides without asking the node
 * @param detected the newest live tip
 * @param epoch sequence of the current epoch; zero outside the epoch mode
 */
public record TipStanding(
        Optional<PublishedTip> published, boolean authoritative, Optional<Hash256> detected, long epoch) {

    /** Checks the components. */
    public TipStanding {
        Objects.requireNonNull(published, "published");
        Objects.requireNonNull(detected, "detected");
    }

    /**
     * Tells whether issuance is pinned to the published snapshot: a departure is detected and the published tip still
     * decides.
     *
     * @return true iff new jobs must be built from the published snapshot
     */
    public boolean pinned() {
        return authoritative
                && published.isPresent()
                && detected.isPresent()
                && !detected.get().equals(published.get().hash());
    }
}
