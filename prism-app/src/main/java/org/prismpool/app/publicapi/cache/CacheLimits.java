package org.prismpool.app.publicapi.cache;

/**
 * Bounds of a response cache.
 *
 * @param entries most answers, 1 or more
 * @param responseBytes largest body that is kept; 0 keeps nothing
 * @param totalBytes most bytes of all bodies together
 */
public record CacheLimits(int entries, int responseBytes, long totalBytes) {

    /** Bytes of all bodies together unless said otherwise: many large artifacts shall not fill the heap of a pool. */
    public static final long TOTAL_BYTES = 64L << 20;

    /** Checks the bounds. */
    public CacheLimits {
        if (entries < 1 || responseBytes < 0 || totalBytes < 0) {
            throw new IllegalArgumentException("a response cache needs room for one entry");
        }
    }
}
