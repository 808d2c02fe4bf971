package org.prismpool.stratum.vardiff;

import java.math.BigDecimal;
import java.util.Objects;

/**
 * Bounds and start of a miner's difficulty (bigger is harder), exact decimals.
 *
 * @param min smallest difficulty, above 0
 * @param start difficulty of a new connection before it is clamped into the bounds, above 0
 * @param max largest difficulty, at least {@code min}
 */
public record DifficultyRange(BigDecimal min, BigDecimal start, BigDecimal max) {

    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException if a value is not positive or {@code min > max}
     */
    public DifficultyRange {
        Objects.requireNonNull(min, "min");
        Objects.requireNonNull(start, "start");
        Objects.requireNonNull(max, "max");
        if (min.signum() <= 0 || start.signum() <= 0 || max.signum() <= 0) {
            throw new IllegalArgumentException("difficulties must be above zero");
        }
        if (min.compareTo(max) > 0) {
            throw new IllegalArgumentException("minimum difficulty " + min + " exceeds maximum " + max);
        }
    }

    /**
     * Creates a range from decimal texts.
     *
     * @param min smallest difficulty
     * @param start difficulty of a new connection
     * @param max largest difficulty
     * @return the range
     */
    public static DifficultyRange of(String min, String start, String max) {
        return new DifficultyRange(new BigDecimal(min), new BigDecimal(start), new BigDecimal(max));
    }

    /**
     * Returns the value moved into {@code [min, max]}.
     *
     * @param difficulty any difficulty
     * @return the nearest difficulty inside the range
     */
    public BigDecimal clamp(BigDecimal difficulty) {
        return clamp(difficulty, min, max);
    }

    /**
     * Returns {@code min(max(value, low), high)}.
     *
     * @param value value to bound
     * @param low lower bound
     * @param high upper bound, which wins if the bounds cross
     * @return the bounded value
     */
    public static BigDecimal clamp(BigDecimal value, BigDecimal low, BigDecimal high) {
        return value.max(low).min(high);
    }
}
