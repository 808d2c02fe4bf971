package org.prismpool.app.publicapi.model.formula;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;

/** Parts of a whole, and what a part of the next block would pay. Source: spec 08 §7.8. */
public final class RewardShare {

    /** Blocks' worth of work in a reward window. */
    public static final int WINDOW_MULTIPLIER = 8;

    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);
    private static final int WHOLE_BPS = 10_000;

    private RewardShare() {}

    /**
     * Returns a part in percent.
     *
     * @param part part, 0 or more
     * @param total whole
     * @return percent, empty unless the whole is more than 0
     */
    public static Optional<BigDecimal> percent(BigInteger part, BigInteger total) {
        return percent(new BigDecimal(part), new BigDecimal(total));
    }

    /**
     * Returns a part in percent.
     *
     * @param part part, 0 or more
     * @param total whole
     * @return percent, empty unless the whole is more than 0
     */
    public static Optional<BigDecimal> percent(BigDecimal part, BigDecimal total) {
        if (total.signum() <= 0) {
            return Optional.empty();
        }
        return Optional.of(part.multiply(HUNDRED, Decimals.CONTEXT).divide(total, Decimals.CONTEXT));
    }

    /**
     * Returns the weight of the reward window.
     *
     * @param networkDifficulty scaled difficulty; negative counts as 0
     * @return eight times the difficulty
     */
    public static BigInteger windowWeight(BigInteger networkDifficulty) {
        return networkDifficulty.max(BigInteger.ZERO).multiply(BigInteger.valueOf(WINDOW_MULTIPLIER));
    }

    /**
     * Estimates what a miner would earn from the next block.
     *
     * @param percent the miner's part of the reward window, 0 or more
     * @param coinbaseBits value of the coinbase in the smallest unit, more than 0
     * @param feeBps displayed pool fee, 0 to 10 000 basis points
     * @return whole units, rounded down
     */
    public static BigInteger estimatedReward(BigDecimal percent, long coinbaseBits, int feeBps) {
        return BigDecimal.valueOf(coinbaseBits)
                .multiply(BigDecimal.valueOf(WHOLE_BPS - feeBps), Decimals.CONTEXT)
                .divide(BigDecimal.valueOf(WHOLE_BPS), Decimals.CONTEXT)
                .multiply(percent, Decimals.CONTEXT)
                .divide(HUNDRED, Decimals.CONTEXT)
                .setScale(0, RoundingMode.DOWN)
                .toBigIntegerExact();
    }
}
