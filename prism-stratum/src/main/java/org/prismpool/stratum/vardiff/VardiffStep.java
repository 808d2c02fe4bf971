package org.prismpool.stratum.vardiff;

import java.math.BigDecimal;
import java.util.Optional;

/**
 * Result of one vardiff decision.
 *
 * @param observed difficulty at which the window's work would have given one share per target time, or empty without work
 * @param estimate smoothed observation to keep for the next window, or empty without work
 * @param next wanted difficulty
 * @param retarget whether {@code next} differs enough to be sent
 */
public record VardiffStep(
        Optional<BigDecimal> observed, Optional<BigDecimal> estimate, BigDecimal next, boolean retarget) {}
