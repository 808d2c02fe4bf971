package org.prismpool.stratum.session;

import java.math.BigDecimal;
import java.util.Optional;

/** Reads difficulties that miners write: exact decimals in ASCII, with or without an exponent. Pure. */
public final class DecimalText {

    private static final int MAX_LENGTH = 128;
    private static final long MAX_MAGNITUDE = 400;
    private static final BigDecimal HUGE = new BigDecimal("1e400");
    private static final BigDecimal TINY = new BigDecimal("1e-400");

    private DecimalText() {}

    /**
     * Reads a number above zero.
     *
     * @param text decimal digits with an optional point and exponent, no spaces
     * @return the number, moved to between 1e-400 and 1e400 so that no text makes arithmetic slow; empty if the text is
     *     malformed, not finite or not above zero
     */
    public static Optional<BigDecimal> positive(String text) {
        if (text.isEmpty() || text.length() > MAX_LENGTH || !ascii(text)) {
            return Optional.empty();
        }
        BigDecimal value;
        try {
            value = new BigDecimal(text);
        } catch (NumberFormatException malformed) {
            return Optional.empty();
        }
        if (value.signum() <= 0) {
            return Optional.empty();
        }
        long magnitude = (long) value.precision() - value.scale();
        if (magnitude > MAX_MAGNITUDE) {
            return Optional.of(HUGE);
        }
        return Optional.of(magnitude < -MAX_MAGNITUDE ? TINY : value);
    }

    private static boolean ascii(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean allowed = (c >= '0' && c <= '9') || c == '.' || c == '+' || c == '-' || c == 'e' || c == 'E';
            if (!allowed) {
                return false;
            }
        }
        return true;
    }
}
