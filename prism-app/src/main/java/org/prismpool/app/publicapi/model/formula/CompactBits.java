package org.prismpool.app.publicapi.model.formula;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.prismpool.templates.chain.CompactTarget;
import org.prismpool.templates.chain.ScaledDifficulty;

/**
 * Compact bits of a node and the scaled difficulty that they stand for.
 *
 * <p>Public difficulty comes from the bits, never from the node's rounded difficulty (spec 08 §7.8, T41).
 *
 * @param hex eight lower-case hex digits
 * @param networkDifficulty scaled difficulty, 1 or more
 */
public record CompactBits(String hex, BigInteger networkDifficulty) {

    private static final Pattern EIGHT_DIGITS = Pattern.compile("[0-9a-f]{8}");

    /**
     * Reads what a node answered.
     *
     * @param text text of any form
     * @return the bits; empty unless they are eight hex digits of a target from 1 to 2^256 - 1
     */
    public static Optional<CompactBits> of(String text) {
        String hex = text.toLowerCase(Locale.ROOT);
        if (!EIGHT_DIGITS.matcher(hex).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new CompactBits(
                    hex, ScaledDifficulty.of(CompactTarget.ofHex(hex).target())));
        } catch (IllegalArgumentException noTarget) {
            return Optional.empty(); // zero, negative or above 256 bits
        }
    }
}
