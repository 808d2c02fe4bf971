package org.prismpool.templates.chain;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/**
 * A share difficulty of the pool's policy, an exact decimal above zero: larger is harder.
 *
 * <p>The inverse of a {@link Target}, with difficulty 1 at {@link Target#DIFFICULTY_ONE} (spec 02 §6.1).
 *
 * @param value more than zero
 */
public record Difficulty(BigDecimal value) implements Comparable<Difficulty> {

    private static final MathContext ADVERTISED = new MathContext(60);
    private static final int MAX_EXPONENT = 400;

    /** Checks the sign, and the magnitude, so that no text of a client can make the arithmetic slow. */
    public Difficulty {
        if (value.signum() <= 0) {
            throw new IllegalArgumentException("a difficulty is more than zero");
        }
        long magnitude = (long) value.precision() - value.scale();
        if (Math.abs(magnitude) > MAX_EXPONENT || value.precision() > 2 * MAX_EXPONENT) {
            throw new IllegalArgumentException("difficulty out of range");
        }
    }

    /**
     * Reads a decimal.
     *
     * @param text a number as {@link BigDecimal#BigDecimal(String)} takes it
     * @return the difficulty
     * @throws IllegalArgumentException if malformed, not positive or out of range
     */
    public static Difficulty of(String text) {
        return new Difficulty(new BigDecimal(text));
    }

    /**
     * Creates a whole difficulty.
     *
     * @param value 1 or more
     * @return the difficulty
     */
    public static Difficulty of(long value) {
        return new Difficulty(BigDecimal.valueOf(value));
    }

    /**
     * Returns the target of this difficulty: the exact floor of the quotient, kept between 1 and 2^256 - 1.
     *
     * @return the target
     */
    public Target toTarget() {
        BigInteger numerator = Target.DIFFICULTY_ONE.value();
        BigInteger denominator = value.unscaledValue();
        if (value.scale() >= 0) {
            numerator = numerator.multiply(BigInteger.TEN.pow(value.scale()));
        } else {
            denominator = denominator.multiply(BigInteger.TEN.pow(-value.scale()));
        }
        return Target.clamped(numerator.divide(denominator));
    }

    /**
     * Returns the difficulty that a miner is told for a target, the only place where a double stands for work.
     *
     * @param target a share or network target
     * @return the double nearest to the exact quotient; finite and more than zero
     */
    public static double advertised(Target target) {
        return new BigDecimal(Target.DIFFICULTY_ONE.value())
                .divide(new BigDecimal(target.value()), ADVERTISED)
                .doubleValue();
    }

    @Override
    public int compareTo(Difficulty other) {
        return value.compareTo(other.value);
    }

    /** Equal when the numbers are, whatever their number of decimal places. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Difficulty difficulty && value.compareTo(difficulty.value) == 0;
    }

    @Override
    public int hashCode() {
        return value.stripTrailingZeros().hashCode();
    }

    @Override
    public String toString() {
        return value.toPlainString();
    }
}
