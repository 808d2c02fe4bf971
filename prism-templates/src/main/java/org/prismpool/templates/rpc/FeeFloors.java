package org.prismpool.templates.rpc;

import java.math.BigDecimal;
import java.util.Optional;

/**
 * The fee rates below which the node relays or keeps nothing, in coins per 1000 bytes.
 *
 * @param minimumRelay member {@code minrelaytxfee}
 * @param mempoolMinimum member {@code mempoolminfee}
 */
public record FeeFloors(Optional<BigDecimal> minimumRelay, Optional<BigDecimal> mempoolMinimum) {

    /**
     * Returns the floor that counts.
     *
     * @return the larger of both, or empty if the node reports none
     */
    public Optional<BigDecimal> highest() {
        if (minimumRelay.isEmpty()) {
            return mempoolMinimum;
        }
        return mempoolMinimum.map(minimumRelay.get()::max).or(() -> minimumRelay);
    }
}
