package org.prismpool.templates.job;

import org.prismpool.templates.chain.CompactTarget;
import org.prismpool.templates.chain.Hash256;

/**
 * What the node demands of the next block, apart from its transactions.
 *
 * @param parent hash of the block to build on
 * @param height height of the next block, 1 to 2^32 - 1
 * @param coinbaseValueSats exact sum of the coinbase's outputs, more than zero
 * @param version header version, with the bits that miners may roll cleared
 * @param bits network target
 * @param time limits of the header time
 */
public record BlockTerms(
        Hash256 parent, long height, long coinbaseValueSats, int version, CompactTarget bits, TimeLimits time) {

    /** Checks the ranges. */
    public BlockTerms {
        if (height < 1 || height > 0xffffffffL) {
            throw new IllegalArgumentException("block height out of range: " + height);
        }
        if (coinbaseValueSats <= 0) {
            throw new IllegalArgumentException("coinbase value must be positive");
        }
    }

    /**
     * Limits of the header time, in seconds since 1970.
     *
     * @param current time that new jobs carry
     * @param minimum earliest valid time
     * @param futureLimitSeconds how far a time may lie ahead of the node's clock
     */
    public record TimeLimits(long current, long minimum, int futureLimitSeconds) {

        /** Checks the ranges. */
        public TimeLimits {
            if (current < 0 || current > 0xffffffffL || minimum < 0 || minimum > 0xffffffffL) {
                throw new IllegalArgumentException("block times are unsigned 32-bit numbers");
            }
            if (futureLimitSeconds <= 0) {
                throw new IllegalArgumentException("the future limit is more than zero seconds");
            }
        }
    }
}
