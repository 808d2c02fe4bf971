package org.prismpool.app.http;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A parsed GET request.
 *
 * @param segments path segments, percent-decoded after splitting; a trailing slash is dropped
 * @param parameters query parameters; the first value wins, blank values are left out
 */
public record HttpQuery(List<String> segments, Map<String, String> parameters) {

    /** Copies both. */
    public HttpQuery {
        segments = List.copyOf(segments);
        parameters = Map.copyOf(parameters);
    }

    /**
     * Returns a query parameter.
     *
     * @param name exact name
     * @return its first value, empty if absent or blank
     */
    public Optional<String> parameter(String name) {
        return Optional.ofNullable(parameters.get(name));
    }
}
