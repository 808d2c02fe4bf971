package org.prismpool.app.publicapi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body of a public answer with status 200, ready to be sent: JSON.
 *
 * @param bytes UTF-8 text; not copied, must not change afterwards
 */
// Bodies are written and never compared.
@SuppressWarnings("ArrayRecordComponent")
public record PublicBody(byte[] bytes) {

    private static final ObjectMapper WRITER =
            new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);

    /**
     * Writes a document with sorted keys and one newline at its end.
     *
     * @param members its members: texts, whole numbers, truth values, maps, lists and null
     * @return the body
     * @throws IllegalArgumentException if JSON cannot carry a value
     */
    public static PublicBody document(Map<String, ? extends @Nullable Object> members) {
        try {
            return new PublicBody((WRITER.writeValueAsString(members) + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (JsonProcessingException broken) {
            throw new IllegalArgumentException("a public body holds what JSON cannot carry", broken);
        }
    }
}
