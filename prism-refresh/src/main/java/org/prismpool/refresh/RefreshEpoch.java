package org.prismpool.refresh;

import java.util.Objects;
import org.prismpool.templates.chain.Hash256;

/**
 * A refresh epoch of the epoch fan-out mode: minted on each tip and payout change (spec 07 §1.3).
 *
 * @param sequence one or more, strictly increasing
 * @param tip the tip that the epoch's work extends
 * @param payoutGeneration the payout generation that the epoch's work pays
 */
public record RefreshEpoch(long sequence, Hash256 tip, long payoutGeneration) {

    /** Checks the components. */
    public RefreshEpoch {
        Objects.requireNonNull(tip, "tip");
    }
}
