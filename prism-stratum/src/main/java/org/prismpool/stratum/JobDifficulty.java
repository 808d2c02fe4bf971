package org.prismpool.stratum;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.prismpool.templates.chain.Target;

/**
 * Difficulty of one job, frozen: what is announced is exactly what is enforced (spec 02 §6.3).
 *
 * @param desired difficulty that the session wanted, before rounding and caps; the baseline of vardiff
 * @param exact difficulty of the job as an exact decimal, or to 40 digits if the network or a target decides
 * @param advertised the double nearest to the share target's difficulty
 * @param shareTarget threshold of a share
 * @param satisfied whether the share target is the desired difficulty's own, not the network's or a floor's
 * @param ledgerWeight credited difficulty of each share, 1 or more (spec 02 §6.4)
 */
public record JobDifficulty(
        BigDecimal desired,
        BigDecimal exact,
        double advertised,
        Target shareTarget,
        boolean satisfied,
        BigInteger ledgerWeight) {}
