package org.prismpool.stratum.session;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Optional;
import org.prismpool.stratum.JobDifficulty;
import org.prismpool.templates.chain.Difficulty;
import org.prismpool.templates.chain.ScaledDifficulty;
import org.prismpool.templates.chain.Target;

/** Turns a wanted difficulty into the difficulty of a job (spec 02 §6.3). Pure. */
public final class DifficultyStamp {

    private static final MathContext DIGITS = new MathContext(40, RoundingMode.HALF_EVEN);

    private DifficultyStamp() {}

    /**
     * Stamps a difficulty.
     *
     * @param desired wanted difficulty, above 0
     * @param floor smallest difficulty to advertise, or empty
     * @param network network target of the work: a share is never harder than a block, unless the floor demands it
     * @param integral whether difficulties of 1 and more are rounded to integers
     * @return the job's difficulty; its weight follows from the share target
     */
    public static JobDifficulty of(BigDecimal desired, Optional<BigDecimal> floor, Target network, boolean integral) {
        Optional<BigDecimal> lowest = floor.map(f -> integral ? roundedUp(f) : f);
        BigDecimal wanted = integral ? rounded(desired, lowest) : desired;
        Target own = new Difficulty(wanted).toTarget();
        Target share = own;
        BigDecimal exact = wanted;
        if (network.compareTo(own) > 0) {
            exact = networkDifficulty(network, integral);
            share = integral && exact.compareTo(BigDecimal.ONE) >= 0 ? new Difficulty(exact).toTarget() : network;
        }
        if (lowest.isPresent()) {
            Target hardest = new Difficulty(lowest.get()).toTarget();
            if (share.compareTo(hardest) > 0) {
                share = hardest;
                exact = lowest.get();
            }
        }
        return new JobDifficulty(
                desired, exact, Difficulty.advertised(share), share, share.equals(own), ScaledDifficulty.of(share));
    }

    /**
     * Returns the difficulty with another weight.
     *
     * @param stamped a job's difficulty
     * @param weight credited difficulty of each share, 1 or more
     * @return the changed difficulty
     */
    public static JobDifficulty weighted(JobDifficulty stamped, BigInteger weight) {
        return new JobDifficulty(
                stamped.desired(),
                stamped.exact(),
                stamped.advertised(),
                stamped.shareTarget(),
                stamped.satisfied(),
                weight);
    }

    private static BigDecimal networkDifficulty(Target network, boolean integral) {
        BigInteger one = Target.DIFFICULTY_ONE.value();
        BigDecimal exact = new BigDecimal(one).divide(new BigDecimal(network.value()), DIGITS);
        BigInteger whole = one.divide(network.value());
        return integral && whole.signum() > 0 ? new BigDecimal(whole) : exact;
    }

    private static BigDecimal rounded(BigDecimal desired, Optional<BigDecimal> lowest) {
        if (desired.compareTo(BigDecimal.ONE) < 0) {
            return desired;
        }
        BigDecimal down = desired.setScale(0, RoundingMode.FLOOR);
        return lowest.isPresent() && down.compareTo(lowest.get()) < 0 ? roundedUp(desired) : down;
    }

    private static BigDecimal roundedUp(BigDecimal difficulty) {
        return difficulty.compareTo(BigDecimal.ONE) < 0 ? difficulty : difficulty.setScale(0, RoundingMode.CEILING);
    }
}
