package org.prismpool.stratum.session;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Optional;

/**
 * Wishes that a miner writes into the password (spec 02 §4.5).
 *
 * @param difficulty value of {@code d}, or empty
 * @param minimum value of {@code md}, or empty
 */
public record PasswordOptions(Optional<BigDecimal> difficulty, Optional<BigDecimal> minimum) {

    /** No wishes. */
    public static final PasswordOptions NONE = new PasswordOptions(Optional.empty(), Optional.empty());

    /**
     * Reads a password. Tokens that are no wishes are ignored; of several valid ones the last counts.
     *
     * @param password any text
     * @return its wishes
     */
    public static PasswordOptions parse(String password) {
        Optional<BigDecimal> difficulty = Optional.empty();
        Optional<BigDecimal> minimum = Optional.empty();
        for (String token : password.split(",", -1)) {
            int equals = token.indexOf('=');
            if (equals < 0) {
                continue;
            }
            String key = token.substring(0, equals).trim().toLowerCase(Locale.ROOT);
            Optional<BigDecimal> value =
                    DecimalText.positive(token.substring(equals + 1).trim());
            if (value.isPresent() && key.equals("d")) {
                difficulty = value;
            } else if (value.isPresent() && key.equals("md")) {
                minimum = value;
            }
        }
        return difficulty.isEmpty() && minimum.isEmpty() ? NONE : new PasswordOptions(difficulty, minimum);
    }
}
