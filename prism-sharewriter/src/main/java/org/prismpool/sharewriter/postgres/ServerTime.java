package org.prismpool.sharewriter.postgres;

/** The server's binary form of {@code timestamptz}: microseconds since 2000-01-01T00:00:00Z. */
final class ServerTime {

    private static final long EPOCH_MS = 946_684_800_000L;

    private ServerTime() {}

    /** Rounds to milliseconds, as the contract reads time back. */
    static long toMillis(long serverMicros) {
        return Math.floorDiv(serverMicros + 500, 1000L) + EPOCH_MS;
    }
}
