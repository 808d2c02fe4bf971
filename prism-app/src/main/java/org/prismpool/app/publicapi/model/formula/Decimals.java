package org.prismpool.app.publicapi.model.formula;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

/** How the public API calculates and writes decimals. Source: spec 08 §7.4 and §7.8. */
public final class Decimals {

    /** 40 significant digits, half-even, on every thread. */
    public static final MathContext CONTEXT = new MathContext(40, RoundingMode.HALF_EVEN);

    private Decimals() {}

    /**
     * Writes a decimal: without exponent, without trailing zeros, without a point if it is integral.
     *
     * @param value any value
     * @return text of the form {@code -?[0-9]+(\.[0-9]*[1-9])?}
     */
    public static String text(BigDecimal value) {
        return value.stripTrailingZeros().toPlainString();
    }

    /**
     * Writes an integer as a decimal.
     *
     * @param value any value
     * @return its digits
     */
    public static String text(BigInteger value) {
        return value.toString();
    }
}
