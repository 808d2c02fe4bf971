package org.prismpool.app.publicapi;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.prismpool.app.http.HttpAnswer;

/** Answers of the public API that are no success. Source: spec 08 §7.4. */
public final class PublicErrors {

    private static final String INTERNAL = "internal server error";

    private PublicErrors() {}

    /**
     * Makes an error body of schema {@code prism.dashboard.error.v1}, which no cache keeps.
     *
     * @param status HTTP status
     * @param text what is wrong, shown to the sender; with status 500 replaced by the one fixed text
     * @return the answer
     */
    public static HttpAnswer of(int status, String text) {
        Map<String, @Nullable Object> error = new TreeMap<>();
        error.put("code", code(status));
        error.put("message", status == 500 ? INTERNAL : text);
        error.put("request_id", null);
        Map<String, Object> document = new TreeMap<>();
        document.put("schema", "prism.dashboard.error.v1");
        document.put("error", error);
        return HttpAnswer.document(status, document).withHeader("Cache-Control", "no-store");
    }

    private static String code(int status) {
        return switch (status) {
            case 404 -> "not_found";
            case 429 -> "rate_limited";
            case 500 -> "internal_error";
            case 503 -> "upstream_unavailable";
            default -> "bad_request";
        };
    }
}
