package org.prismpool.stratum;

/**
 * Bounds of what one connection may send and make wait (spec 02 §1.4 to §1.6).
 *
 * @param maxLineBytes longest request line, 1024 or more
 * @param maxProtocolErrors malformed requests in a row before the connection is closed, 0 for no bound
 * @param rejectBurst refused submits that a session may cause at once before its reads pause
 * @param rejectsPerSecond refused submits that it may cause steadily
 * @param maxOutboundBytes unsent bytes before a slow reader is disconnected; two pairs are always allowed
 * @param maxPendingSubmits submits of one connection that may wait for their commit, 1 or more
 */
public record ProtocolLimits(
        int maxLineBytes,
        int maxProtocolErrors,
        int rejectBurst,
        int rejectsPerSecond,
        int maxOutboundBytes,
        int maxPendingSubmits) {

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of its range
     */
    public ProtocolLimits {
        if (maxLineBytes < 1024 || maxProtocolErrors < 0) {
            throw new IllegalArgumentException("line limit or error budget out of range");
        }
        if (rejectBurst < 1 || rejectsPerSecond < 1 || maxOutboundBytes < 4096 || maxPendingSubmits < 1) {
            throw new IllegalArgumentException("a protocol limit is too small");
        }
    }

    /**
     * Returns the documented defaults: 16 KiB lines, 100 errors, 1000 rejects and 100/s, 1 MiB unsent, 64 submits.
     *
     * @return the default limits
     */
    public static ProtocolLimits defaults() {
        return new ProtocolLimits(16384, 100, 1000, 100, 1 << 20, 64);
    }
}
