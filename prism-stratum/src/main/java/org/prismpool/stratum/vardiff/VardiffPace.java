package org.prismpool.stratum.vardiff;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * How fast and how far a difficulty may move (spec 02 §8.1).
 *
 * @param targetSeconds wanted seconds between accepted shares, above 0
 * @param retargetSeconds length of a share window before a decision, above 0
 * @param stepUp largest multiplication in one decision, at least 1
 * @param stepDown largest division in one decision, at least 1; also the step of a window without shares
 * @param alpha weight of the newest observation in the moving average, above 0 and at most 1
 * @param tolerance smallest relative change that is applied, 0 or more; equality applies it
 */
public record VardiffPace(
        BigDecimal targetSeconds,
        BigDecimal retargetSeconds,
        BigDecimal stepUp,
        BigDecimal stepDown,
        BigDecimal alpha,
        BigDecimal tolerance) {

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of its range
     */
    public VardiffPace {
        if (targetSeconds.signum() <= 0 || retargetSeconds.signum() <= 0) {
            throw new IllegalArgumentException("vardiff times must be above zero");
        }
        if (stepUp.compareTo(BigDecimal.ONE) < 0 || stepDown.compareTo(BigDecimal.ONE) < 0) {
            throw new IllegalArgumentException("vardiff steps must be at least 1");
        }
        if (alpha.signum() <= 0 || alpha.compareTo(BigDecimal.ONE) > 0) {
            throw new IllegalArgumentException("vardiff alpha must be above 0 and at most 1");
        }
        if (tolerance.signum() < 0) {
            throw new IllegalArgumentException("vardiff tolerance must not be negative");
        }
    }

    /**
     * Returns the window length in nanoseconds.
     *
     * @return more than zero, at most {@link Long#MAX_VALUE}
     */
    public long retargetNanos() {
        BigDecimal nanos = retargetSeconds.movePointRight(9).setScale(0, RoundingMode.CEILING);
        return nanos.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue();
    }

    /**
     * Returns the documented defaults: one share each 15 s, windows of 90 s, steps of 4, alpha 0.4, tolerance 0.25.
     *
     * @return the default pace
     */
    public static VardiffPace defaults() {
        return of("15", "90", "4", "4", "0.4", "0.25");
    }

    /**
     * Creates a pace from decimal texts.
     *
     * @param targetSeconds wanted seconds per share
     * @param retargetSeconds window length in seconds
     * @param stepUp largest step up
     * @param stepDown largest step down
     * @param alpha weight of the newest observation
     * @param tolerance smallest relative change
     * @return the pace
     */
    public static VardiffPace of(
            String targetSeconds,
            String retargetSeconds,
            String stepUp,
            String stepDown,
            String alpha,
            String tolerance) {
        return new VardiffPace(
                new BigDecimal(targetSeconds),
                new BigDecimal(retargetSeconds),
                new BigDecimal(stepUp),
                new BigDecimal(stepDown),
                new BigDecimal(alpha),
                new BigDecimal(tolerance));
    }
}
