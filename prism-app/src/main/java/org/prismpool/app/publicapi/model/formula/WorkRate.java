package org.prismpool.app.publicapi.model.formula;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;
import org.prismpool.templates.chain.CompactTarget;

/** From counted work to hashes per second and to the time that a block takes. Source: spec 08 §7.8. */
public final class WorkRate {

    /** Expected hashes for one unit of scaled difficulty: 2^256 / target(207fffff) / 1 000 000. */
    public static final BigDecimal HASHES_PER_UNIT = new BigDecimal(BigInteger.TWO.pow(256))
            .divide(new BigDecimal(CompactTarget.ofBits(0x207fffff).target().value()), Decimals.CONTEXT)
            .divide(BigDecimal.valueOf(1_000_000), Decimals.CONTEXT);

    private static final BigDecimal TERA = BigDecimal.valueOf(1_000_000_000_000L);

    private WorkRate() {}

    /**
     * Returns the rate that explains an amount of work.
     *
     * @param difficulty sum of scaled difficulties
     * @param seconds time in which it was done
     * @return terahashes per second; 0 without work or without time
     */
    public static BigDecimal terahashes(BigInteger difficulty, long seconds) {
        if (difficulty.signum() <= 0 || seconds <= 0) {
            return BigDecimal.ZERO;
        }
        return new BigDecimal(difficulty)
                .multiply(HASHES_PER_UNIT, Decimals.CONTEXT)
                .divide(BigDecimal.valueOf(seconds), Decimals.CONTEXT)
                .divide(TERA, Decimals.CONTEXT);
    }

    /**
     * Returns the expected time between two blocks.
     *
     * @param terahashes rate in terahashes per second
     * @param networkDifficulty scaled difficulty of a block, 0 or more
     * @return whole seconds, half-even; empty without a rate
     */
    public static Optional<BigInteger> secondsToBlock(BigDecimal terahashes, BigInteger networkDifficulty) {
        if (terahashes.signum() <= 0) {
            return Optional.empty();
        }
        BigDecimal hashes = new BigDecimal(networkDifficulty).multiply(HASHES_PER_UNIT, Decimals.CONTEXT);
        BigDecimal perSecond = terahashes.multiply(TERA, Decimals.CONTEXT);
        return Optional.of(hashes.divide(perSecond, Decimals.CONTEXT)
                .setScale(0, RoundingMode.HALF_EVEN)
                .toBigIntegerExact());
    }
}
