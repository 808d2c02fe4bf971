package org.prismpool.app.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpURI;
import org.jspecify.annotations.Nullable;

/** Takes path and query of a URL apart. Source: spec 08 §7.1. */
final class RequestLine {

    private RequestLine() {}

    /** The path, which a request such as {@code OPTIONS *} does not have. */
    static String path(HttpURI uri) {
        String path = uri.getPath();
        return path == null ? "/" : path;
    }

    /** The path of a target as sent; a slash if it is not one on this server. */
    static String path(String target) {
        String path = target.split("[?#]", 2)[0];
        return path.startsWith("/") ? path : "/";
    }

    /**
     * Splits a path and decodes each segment; a plus sign stands for itself.
     *
     * @throws IllegalArgumentException if a percent escape is malformed
     */
    static List<String> segments(String path) {
        List<String> segments = new ArrayList<>();
        for (String raw : rawSegments(path)) {
            segments.add(URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8));
        }
        return segments;
    }

    /** Splits a path and leaves the escapes. */
    static List<String> rawSegments(String path) {
        List<String> segments = new ArrayList<>(List.of(path.split("/", -1)));
        while (segments.size() > 1 && segments.get(segments.size() - 1).isEmpty()) {
            segments.remove(segments.size() - 1);
        }
        segments.remove(0); // the text before the leading slash
        return segments;
    }

    /**
     * Splits a query.
     *
     * @throws IllegalArgumentException if a percent escape is malformed
     */
    static Map<String, List<String>> values(@Nullable String query) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        if (query != null) {
            for (String pair : query.split("&", -1)) {
                String[] sides = pair.split("=", 2);
                String value = sides.length > 1 ? URLDecoder.decode(sides[1], StandardCharsets.UTF_8) : "";
                if (!value.isBlank()) {
                    values.computeIfAbsent(
                                    URLDecoder.decode(sides[0], StandardCharsets.UTF_8), name -> new ArrayList<>())
                            .add(value);
                }
            }
        }
        return values;
    }
}
