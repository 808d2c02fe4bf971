package org.prismpool.templates.rpc;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * The node's estimate of the market fee rate.
 *
 * @param feeRate coins per 1000 bytes, more than zero; empty if the node has no estimate
 * @param errors the node's reasons
 */
public record FeeEstimate(Optional<BigDecimal> feeRate, List<String> errors) {

    /** Copies the list. */
    public FeeEstimate {
        errors = List.copyOf(errors);
    }
}
