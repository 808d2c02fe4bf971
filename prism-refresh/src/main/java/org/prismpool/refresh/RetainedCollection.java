package org.prismpool.refresh;

import java.util.Objects;

/**
 * Collection work that was published while nobody could receive it; a later authorization finds it (spec 07 §3.9).
 *
 * @param snapshot the published snapshot
 * @param observationSequence its observation
 * @param payoutGeneration the payout generation it was published under
 */
public record RetainedCollection(TemplateSnapshot<?> snapshot, long observationSequence, long payoutGeneration) {

    /** Checks the components. */
    public RetainedCollection {
        Objects.requireNonNull(snapshot, "snapshot");
    }
}
