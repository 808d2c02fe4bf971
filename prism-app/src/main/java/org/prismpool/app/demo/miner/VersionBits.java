package org.prismpool.app.demo.miner;

/** Spreads a counter over the bits of a version-rolling mask. */
final class VersionBits {

    private VersionBits() {}

    /** Returns {@code counter}'s low bits deposited into the set bits of {@code mask}, lowest first. */
    static int deposit(long counter, int mask) {
        int bits = 0;
        int rest = mask;
        long left = counter;
        while (rest != 0) {
            int lowest = Integer.lowestOneBit(rest);
            if ((left & 1) != 0) {
                bits |= lowest;
            }
            left >>>= 1;
            rest ^= lowest;
        }
        return bits;
    }
}
