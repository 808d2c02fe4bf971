package org.prismpool.app.publicapi.cache;

import java.util.List;
import java.util.Map;

/**
 * What makes two requests the same: the canonical path and every query parameter with all its values, known or not.
 *
 * @param path segments, hashes in lower case
 * @param values values by parameter name
 */
public record CacheKey(List<String> path, Map<String, List<String>> values) {

    /** Copies both. */
    public CacheKey {
        path = List.copyOf(path);
        values = Map.copyOf(values);
    }
}
