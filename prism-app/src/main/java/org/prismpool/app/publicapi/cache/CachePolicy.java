package org.prismpool.app.publicapi.cache;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How long an answer may be kept, here and by shared caches before us.
 *
 * @param ttlSeconds how long it is fresh, 0 to keep nothing
 * @param staleSeconds how long after that a shared cache may serve it while it asks again; this program never does
 * @param immutable whether it never changes
 */
public record CachePolicy(int ttlSeconds, int staleSeconds, boolean immutable) {

    /** Keeps nothing. */
    public static final CachePolicy NONE = new CachePolicy(0, 0, false);

    /** Checks the times. */
    public CachePolicy {
        if (ttlSeconds < 0 || staleSeconds < 0) {
            throw new IllegalArgumentException("a cache keeps nothing for a negative time");
        }
    }

    /**
     * Returns the headers of a successful answer.
     *
     * @param ageSeconds how long the answer has been in this cache
     * @return value by header name
     */
    public Map<String, String> headers(long ageSeconds) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Cache-Control", "public, max-age=0, must-revalidate");
        headers.put("Age", Long.toString(ageSeconds));
        if (ttlSeconds > 0) {
            String shared = "public, max-age=" + ttlSeconds
                    + (staleSeconds > 0 ? ", stale-while-revalidate=" + staleSeconds : "")
                    + (immutable ? ", immutable" : "");
            headers.put("CDN-Cache-Control", shared);
            headers.put("Vercel-CDN-Cache-Control", shared);
        }
        return headers;
    }
}
