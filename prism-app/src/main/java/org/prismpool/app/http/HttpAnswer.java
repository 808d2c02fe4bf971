package org.prismpool.app.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

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
    private static final ObjectMapper WRITER =
            new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);

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
     * Creates the JSON answer of a refusal: one member {@code error}, followed by further members.
     *
     * @param status HTTP status
     * @param text what is wrong
     * @param more name and value of one further text member, or nothing
     * @return the answer
     */
    public static HttpAnswer error(int status, String text, String... more) {
        SortedMap<String, String> members = new TreeMap<>();
        members.put("error", text);
        for (int i = 0; i + 1 < more.length; i += 2) {
            members.put(more[i], more[i + 1]);
        }
        return document(status, members);
    }

    /**
     * Creates a JSON answer from a value.
     *
     * @param status HTTP status
     * @param value a map with sorted keys, a list or a JSON node
     * @return the answer
     * @throws IllegalArgumentException if JSON cannot carry the value
     */
    public static HttpAnswer document(int status, Object value) {
        try {
            return json(status, WRITER.writeValueAsString(value));
        } catch (JsonProcessingException broken) {
            throw new IllegalArgumentException("an answer holds what JSON cannot carry", broken);
        }
    }

    /**
     * Returns the same answer with one more header.
     *
     * @param name header name
     * @param value header value
     * @return the changed copy
     */
    public HttpAnswer withHeader(String name, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(name, value);
        return new HttpAnswer(status, contentType, body, more);
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
