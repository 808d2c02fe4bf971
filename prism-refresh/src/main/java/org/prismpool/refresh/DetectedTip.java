package org.prismpool.refresh;

import java.util.Objects;
import org.prismpool.templates.chain.Hash256;

/**
 * The newest live tip that anyone saw. Detection never publishes.
 *
 * @param hash the tip
 * @param observationSequence number reserved before the request that saw it; orders observations by their start
 */
public record DetectedTip(Hash256 hash, long observationSequence) {

    /** Checks the components. */
    public DetectedTip {
        Objects.requireNonNull(hash, "hash");
    }
}
