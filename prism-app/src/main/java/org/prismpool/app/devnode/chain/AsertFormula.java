package org.prismpool.app.devnode.chain;

import java.math.BigInteger;
import org.prismpool.templates.chain.CompactTarget;
import org.prismpool.templates.chain.Target;

/** The chain's difficulty adjustment: an exponential of how far the chain is ahead of its schedule (spec 03 §1.2). */
public final class AsertFormula {

    private static final int RADIX = 65_536;

    private AsertFormula() {}

    /**
     * Returns the bits of the block after a parent.
     *
     * @param anchorBits bits at the anchor
     * @param spacingSeconds intended time between blocks
     * @param halfLifeSeconds delay that doubles the target
     * @param elapsedSeconds parent's block time minus the anchor's
     * @param blocks number of blocks from the anchor to the parent
     * @param powLimit easiest target
     * @return canonical compact bits
     */
    public static int nextBits(
            int anchorBits,
            long spacingSeconds,
            long halfLifeSeconds,
            long elapsedSeconds,
            long blocks,
            Target powLimit) {
        // Java's division truncates towards zero, as the rule asks for.
        long exponent = (elapsedSeconds - spacingSeconds * blocks) * RADIX / halfLifeSeconds;
        int shift = (int) Math.max(-1_000, Math.min(1_000, exponent >> 16));
        long fraction = exponent & 0xffff;
        BigInteger target = CompactTarget.ofBits(anchorBits).target().value().multiply(factor(fraction));
        int total = shift - 16;
        BigInteger shifted = total >= 0 ? target.shiftLeft(total) : target.shiftRight(-total);
        return CompactTarget.ofTarget(Target.clamped(shifted).harder(powLimit)).bits();
    }

    private static BigInteger factor(long fraction) {
        BigInteger x = BigInteger.valueOf(fraction);
        BigInteger polynomial = BigInteger.valueOf(195_766_423_245_049L)
                .multiply(x)
                .add(BigInteger.valueOf(971_821_376L).multiply(x.pow(2)))
                .add(BigInteger.valueOf(5_127L).multiply(x.pow(3)))
                .add(BigInteger.ONE.shiftLeft(47));
        return polynomial.shiftRight(48).add(BigInteger.valueOf(RADIX));
    }
}
