package org.prismpool.app.http;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A parsed GET request.
 *
 * @param segments path segments, percent-decoded after splitting; a trailing slash is dropped
 * @param values query parameters with all their values in the order sent; blank values are left out
 */
public record HttpQuery(List<String> segments, Map<String, List<String>> values) {

    /** Copies both. */
    public HttpQuery {
        segments = List.copyOf(segments);
        Map<String, List<String>> copy = new HashMap<>();
        values.forEach((name, all) -> copy.put(name, List.copyOf(all)));
        values = Map.copyOf(copy);
    }

    /**
     * Makes a request in which every parameter has one value.
     *
     * @param segments path segments
     * @param parameters value by name, none blank
     * @return the request
     */
    public static HttpQuery of(List<String> segments, Map<String, String> parameters) {
        Map<String, List<String>> values = new HashMap<>();
        parameters.forEach((name, value) -> values.put(name, List.of(value)));
        return new HttpQuery(segments, values);
    }

    /**
     * Returns a query parameter.
     *
     * @param name exact name
     * @return its first value that is not blank, empty if there is none
     */
    public Optional<String> parameter(String name) {
        return values.getOrDefault(name, List.of()).stream().findFirst();
    }
}
