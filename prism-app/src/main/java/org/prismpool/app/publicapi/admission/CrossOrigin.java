package org.prismpool.app.publicapi.admission;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which web pages may read the answers (CORS). Immutable. Source: spec 08 §7.1.
 *
 * @param origins {@code *}, or origins as browsers send them; none for no headers at all
 */
public record CrossOrigin(List<String> origins) {

    private static final String ANY = "*";

    /** Copies the origins. */
    public CrossOrigin {
        origins = List.copyOf(origins);
    }

    /**
     * Tells whether other pages may read at all.
     *
     * @return false if no origin is configured
     */
    public boolean enabled() {
        return !origins.isEmpty();
    }

    /**
     * Returns the headers of an answer.
     *
     * @param origin origin of the page that asks
     * @return value by header name
     */
    public Map<String, String> headers(Optional<String> origin) {
        if (!enabled()) {
            return Map.of();
        }
        Map<String, String> headers = new LinkedHashMap<>();
        if (origins.contains(ANY)) {
            headers.put("Access-Control-Allow-Origin", ANY);
        } else {
            headers.put("Vary", "Origin"); // a cache must not give one page the permission of another
            origin.filter(origins::contains).ifPresent(known -> headers.put("Access-Control-Allow-Origin", known));
        }
        headers.put("Access-Control-Expose-Headers", "Age, Retry-After");
        return headers;
    }

    /**
     * Returns what the answer of a preflight request carries besides.
     *
     * @return value by header name
     */
    public static Map<String, String> preflight() {
        return Map.of(
                "Access-Control-Allow-Methods", "GET, HEAD, OPTIONS",
                "Access-Control-Allow-Headers", ANY,
                "Access-Control-Max-Age", "86400");
    }
}
