package org.prismpool.templates.chain;

import java.util.Locale;
import java.util.Optional;

/**
 * The fields of the header version: {@code [top:3][chain_id:16][reserved:4][auxpow:1][signals:8]} (spec 03 §1.4).
 */
public final class VersionLayout {

    /** Top bits, {@code 001} in every canonical version. */
    public static final int TOP_MASK = 0xe0000000;

    /** A permissionless version without signals. */
    public static final int BASE = 0x20000000;

    /** Chain id of merged mining; free for version rolling when the AuxPoW flag is off. */
    public static final int CHAIN_ID_MASK = 0x1fffe000;

    /** Bits that must be zero. */
    public static final int RESERVED_MASK = 0x00001e00;

    /** Set in merged-mined blocks, whose header is followed by an AuxPoW payload. */
    public static final int AUXPOW_FLAG = 0x00000100;

    /** Deployment signals, which the template decides. */
    public static final int SIGNALS_MASK = 0x000000ff;

    private static final int CHAIN_ID_SHIFT = 13;
    private static final int MINIMUM = 4;

    private VersionLayout() {}

    /**
     * Applies a miner's version bits (BIP310).
     *
     * @param jobVersion version of the job
     * @param mask bits that the miner may set
     * @param bits bits that the miner submitted; must lie inside the mask
     * @return the version to hash
     * @throws IllegalArgumentException if a bit lies outside the mask
     */
    public static int roll(int jobVersion, int mask, int bits) {
        if ((bits & ~mask) != 0) {
            throw new IllegalArgumentException("version bits outside the mask");
        }
        return (jobVersion & ~mask) | bits;
    }

    /**
     * Tells whether a header is followed by an AuxPoW payload.
     *
     * @param version header version
     * @return true if the flag is set in a canonical version
     */
    public static boolean hasAuxPow(int version) {
        return (version & TOP_MASK) == BASE && (version & AUXPOW_FLAG) != 0;
    }

    /**
     * Returns the chain id field.
     *
     * @param version header version
     * @return 0 to 65535
     */
    public static int chainId(int version) {
        return (version & CHAIN_ID_MASK) >>> CHAIN_ID_SHIFT;
    }

    /**
     * Returns the version of a merged-mined block.
     *
     * @param chainId 0 to 65535
     * @param signals 0 to 255
     * @return the version
     */
    public static int auxPow(int chainId, int signals) {
        return BASE | ((chainId << CHAIN_ID_SHIFT) & CHAIN_ID_MASK) | AUXPOW_FLAG | (signals & SIGNALS_MASK);
    }

    /**
     * Returns the node's reason for refusing a version.
     *
     * @param version header version
     * @return for example {@code bad-version-reserved(0x20000200)}, or empty if the version is acceptable
     */
    public static Optional<String> rejection(int version) {
        if ((version & 0xffffff00) != 0 && (version & TOP_MASK) != BASE) {
            return Optional.of(reason("bad-version-topbits", version));
        }
        if ((version & RESERVED_MASK) != 0) {
            return Optional.of(reason("bad-version-reserved", version));
        }
        return version < MINIMUM ? Optional.of(reason("bad-version", version)) : Optional.empty();
    }

    /**
     * Returns a version or mask as the wire shows it.
     *
     * @param version 32 bits
     * @return eight lower-case hex digits, most significant first
     */
    public static String hex(int version) {
        return String.format(Locale.ROOT, "%08x", version);
    }

    /**
     * Reads a version-rolling mask.
     *
     * @param text 1 to 8 hex digits with an optional {@code 0x} in front
     * @return the mask; zero switches rolling off
     * @throws IllegalArgumentException if malformed
     */
    public static int parseMask(String text) {
        String digits = text.startsWith("0x") || text.startsWith("0X") ? text.substring(2) : text;
        if (digits.isEmpty() || digits.length() > 8) {
            throw new IllegalArgumentException("a version mask has 1 to 8 hex digits");
        }
        byte[] bytes = Hex.decode("0".repeat(8 - digits.length()) + digits);
        return ((bytes[0] & 0xff) << 24) | ((bytes[1] & 0xff) << 16) | ((bytes[2] & 0xff) << 8) | (bytes[3] & 0xff);
    }

    private static String reason(String name, int version) {
        return name + "(0x" + hex(version) + ")";
    }
}
