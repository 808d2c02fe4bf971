package org.prismpool.stratum.vardiff;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Optional;

/**
 * Decides difficulties from share windows (spec 02 §8.3): a pure function in exact decimal arithmetic with 34
 * significant digits, rounding half to even.
 *
 * @param range bounds and start
 * @param pace window length, steps and smoothing
 */
public record VardiffPolicy(DifficultyRange range, VardiffPace pace) {

    /** Precision of all decisions. */
    public static final MathContext MATH = MathContext.DECIMAL128;

    /**
     * Returns the difficulty of a new connection.
     *
     * @return the start moved into the bounds
     */
    public BigDecimal startDifficulty() {
        return range.clamp(range.start());
    }

    /**
     * Returns the policy of one miner who asked for a difficulty or a minimum of his own.
     *
     * @param floor smallest difficulty for him
     * @param start difficulty he starts from
     * @return this policy with another minimum and start
     */
    public VardiffPolicy personal(BigDecimal floor, BigDecimal start) {
        return new VardiffPolicy(new DifficultyRange(floor, start, range.max()), pace);
    }

    /**
     * Decides at the end of a window.
     *
     * @param desired difficulty wanted before the decision, above 0
     * @param previousEstimate estimate of the window before, or empty
     * @param work sum of the difficulties of the window's accepted shares, 0 if there were none
     * @param elapsedSeconds length of the window, above 0
     * @return the decision; its estimate is to be kept even if no retarget follows
     */
    public VardiffStep decide(
            BigDecimal desired, Optional<BigDecimal> previousEstimate, BigDecimal work, BigDecimal elapsedSeconds) {
        Optional<BigDecimal> observed = work.signum() > 0
                ? Optional.of(work.multiply(pace.targetSeconds(), MATH).divide(elapsedSeconds, MATH))
                : Optional.empty();
        Optional<BigDecimal> estimate = observed.map(seen -> range.clamp(smoothed(seen, previousEstimate)));
        BigDecimal current = range.clamp(desired);
        BigDecimal goal = estimate.orElseGet(() -> current.divide(pace.stepDown(), MATH));
        BigDecimal factor = DifficultyRange.clamp(
                goal.divide(current, MATH), BigDecimal.ONE.divide(pace.stepDown(), MATH), pace.stepUp());
        BigDecimal next = range.clamp(reach(current, goal, factor));
        return new VardiffStep(observed, estimate, next, worthSending(desired, next));
    }

    /** The goal itself when no step limit cuts it: multiplying back the quotient could miss it in the last digit. */
    private BigDecimal reach(BigDecimal current, BigDecimal goal, BigDecimal factor) {
        boolean cut = goal.compareTo(current.multiply(pace.stepUp(), MATH)) > 0
                || goal.multiply(pace.stepDown(), MATH).compareTo(current) < 0;
        return cut ? current.multiply(factor, MATH) : goal;
    }

    private BigDecimal smoothed(BigDecimal observed, Optional<BigDecimal> previous) {
        if (previous.isEmpty()) {
            return observed;
        }
        BigDecimal rest = BigDecimal.ONE.subtract(pace.alpha());
        return pace.alpha().multiply(observed, MATH).add(rest.multiply(previous.get(), MATH), MATH);
    }

    private boolean worthSending(BigDecimal desired, BigDecimal next) {
        if (next.compareTo(desired) == 0) {
            return false;
        }
        BigDecimal change = next.subtract(desired).abs();
        return change.compareTo(pace.tolerance().multiply(desired, MATH)) >= 0;
    }
}
