package org.prismpool.stratum;

import java.security.SecureRandom;
import org.prismpool.stratum.codec.HexText;

/**
 * How jobs are numbered and shaped (spec 02 §3.1, §5.1, §5.5, §6.3).
 *
 * @param extranonce2Size bytes that the miner fills, 4 to 8
 * @param extranonce1Base value to which connection numbers are added, all 32 bits
 * @param extranonce1Space number of different extranonce1 values to use, 2^32 outside of tests
 * @param bootId part of the job ids that tells process starts apart, up to 8 hex digits; empty leaves it out
 * @param versionMask version bits that miners may roll, 0 for none
 * @param integralDifficulty whether difficulties of 1 and more are rounded to integers
 */
public record JobPolicy(
        int extranonce2Size,
        int extranonce1Base,
        long extranonce1Space,
        String bootId,
        int versionMask,
        boolean integralDifficulty) {

    /** Mask of the node for versions without a chain id. */
    public static final int DEFAULT_VERSION_MASK = 0x1fffe000;

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of its range
     */
    public JobPolicy {
        if (extranonce2Size < 4 || extranonce2Size > 8) {
            throw new IllegalArgumentException("the extranonce2 size must be 4 to 8 bytes, not " + extranonce2Size);
        }
        if (extranonce1Space < 2 || extranonce1Space > 1L << 32) {
            throw new IllegalArgumentException("the extranonce1 space must be 2 to 2^32");
        }
        if (!bootId.matches("[0-9a-f]{0,8}")) {
            throw new IllegalArgumentException("the boot id must be up to 8 lower-case hex digits");
        }
    }

    /**
     * Returns fixed numbering for vectors and tests: base 0, no boot id, everything else as by default.
     *
     * @return the policy
     */
    public static JobPolicy fixed() {
        return new JobPolicy(8, 0, 1L << 32, "", DEFAULT_VERSION_MASK, true);
    }

    /**
     * Returns the defaults of a process start: random base and boot id, so that work is not repeated after a restart.
     *
     * @return the policy
     */
    public static JobPolicy perProcess() {
        SecureRandom random = new SecureRandom();
        String boot = HexText.ofInt(random.nextInt());
        return new JobPolicy(8, random.nextInt(), 1L << 32, boot, DEFAULT_VERSION_MASK, true);
    }

    /**
     * Returns this policy with another mask and extranonce2 size.
     *
     * @param mask version bits that miners may roll
     * @param size bytes that the miner fills, 4 to 8
     * @return the changed policy
     */
    public JobPolicy withShape(int mask, int size) {
        return new JobPolicy(size, extranonce1Base, extranonce1Space, bootId, mask, integralDifficulty);
    }

    /**
     * Returns this policy with the rounding switched.
     *
     * @param integral whether difficulties of 1 and more are rounded to integers
     * @return the changed policy
     */
    public JobPolicy withIntegralDifficulty(boolean integral) {
        return new JobPolicy(extranonce2Size, extranonce1Base, extranonce1Space, bootId, versionMask, integral);
    }
}
