package org.prismpool.lifecycle.health;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/** Decimal forms of ages and ratios in health answers. */
final class HealthNumbers {

    private static final int AGE_SCALE = 3;

    private HealthNumbers() {}

    /** Seconds to three decimals, without trailing zeros beyond the first. */
    static BigDecimal age(Duration age) {
        return trimmed(BigDecimal.valueOf(age.getSeconds())
                .add(BigDecimal.valueOf(age.getNano(), 9))
                .setScale(AGE_SCALE, RoundingMode.HALF_EVEN));
    }

    static BigDecimal rounded(double value, int scale) {
        return trimmed(BigDecimal.valueOf(value).setScale(scale, RoundingMode.HALF_EVEN));
    }

    private static BigDecimal trimmed(BigDecimal value) {
        BigDecimal stripped = value.stripTrailingZeros();
        return stripped.scale() < 1 ? stripped.setScale(1) : stripped;
    }
}
