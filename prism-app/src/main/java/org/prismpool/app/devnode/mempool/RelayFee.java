package org.prismpool.app.devnode.mempool;

/** The lowest fee for which a transaction is relayed, as a fresh regtest node sets it. */
public final class RelayFee {

    /** Base units per 1000 bytes. */
    public static final long SATS_PER_KILOBYTE = 250;

    private static final long KILOBYTE = 1_000;

    private RelayFee() {}

    /**
     * Returns the lowest fee.
     *
     * @param size serialized size with witness, in bytes
     * @return base units, rounded up
     */
    public static long minimumSats(long size) {
        return (size * SATS_PER_KILOBYTE + KILOBYTE - 1) / KILOBYTE;
    }
}
