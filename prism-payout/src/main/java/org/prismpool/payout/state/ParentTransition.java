package org.prismpool.payout.state;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.prismpool.payout.reward.PriorBalance;
import org.prismpool.templates.chain.Hash256;

/**
 * One own block between its offer and its confirmation in the ledger.
 *
 * @param hash block hash
 * @param height block height
 * @param phase how far it has come
 * @param preview balances after the block, kept from the moment they are known
 * @param previewPublished whether the preview crossed the publication; false while only child builds know it
 * @param sinceNanos monotonic time at which the block was first seen here
 */
public record ParentTransition(
        Hash256 hash,
        long height,
        ParentPhase phase,
        Optional<List<PriorBalance>> preview,
        boolean previewPublished,
        long sinceNanos) {

    /** Checks and copies the components. */
    public ParentTransition {
        Objects.requireNonNull(hash, "hash");
        Objects.requireNonNull(phase, "phase");
        preview = preview.map(List::copyOf);
        if (phase == ParentPhase.PREVIEWED && preview.isEmpty()) {
            throw new IllegalArgumentException("a previewed block has a preview");
        }
    }

    /**
     * Tells whether the block is being accounted.
     *
     * @return true from landing to confirmation or loss
     */
    public boolean landed() {
        return phase == ParentPhase.LANDED || phase == ParentPhase.PREVIEWED;
    }

    ParentTransition to(ParentPhase next) {
        return new ParentTransition(hash, height, next, preview, previewPublished, sinceNanos);
    }

    ParentTransition withPreview(List<PriorBalance> balances, boolean isPublished) {
        return new ParentTransition(
                hash, height, ParentPhase.PREVIEWED, Optional.of(balances), isPublished, sinceNanos);
    }
}
