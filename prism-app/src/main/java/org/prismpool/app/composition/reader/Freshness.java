package org.prismpool.app.composition.reader;

import java.time.Duration;

/**
 * What the database behind public answers must be.
 *
 * @param replicaRequired whether only a standby may answer, and only while it hears from its primary
 * @param maxLag longest silence of the primary on the stream of such a standby, more than zero
 */
public record Freshness(boolean replicaRequired, Duration maxLag) {

    /** Checks the bound. */
    public Freshness {
        if (maxLag.isNegative() || maxLag.isZero()) {
            throw new IllegalArgumentException("the bound of the silence is more than zero");
        }
    }
}
