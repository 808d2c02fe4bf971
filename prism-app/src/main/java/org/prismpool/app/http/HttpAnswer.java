package org.prismpool.app.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A complete answer of an endpoint.
 *
 * @param status HTTP status
 * @param contentType value of the {@code Content-Type} header
 * @param body bytes to send; not copied, must not change afterwards
 * @param headers further headers
 */
// Answers are written once and never compared.
@SuppressWarnings("ArrayRecordComponent")
public record HttpAnswer(int status, String contentType, byte[] body, Map<String, String> headers) {

    private static final String JSON = "application/json";

    /** Copies the headers. */
    public HttpAnswer {
        headers = Map.copyOf(headers);
    }

    /**
     * Creates a JSON answer.
     *
     * @param status HTTP status
     * @param json the document, without the trailing newline
     * @return the answer
     */
    public static HttpAnswer json(int status, String json) {
        return new HttpAnswer(status, JSON, (json + "\n").getBytes(StandardCharsets.UTF_8), Map.of());
    }

    /**
     * Creates a text answer.
     *
     * @param status HTTP status
     * @param contentType media type with charset
     * @param text the body
     * @return the answer
     */
    public static HttpAnswer text(int status, String contentType, String text) {
        return new HttpAnswer(status, contentType, text.getBytes(StandardCharsets.UTF_8), Map.of());
    }
}
