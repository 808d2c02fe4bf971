package org.prismpool.templates;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.prismpool.templates.chain.Hex;

/**
 * Identity of a template, apart from its clock: two observations with one fingerprint are the same work.
 *
 * <p>SHA-256 over the template's JSON without {@code curtime}, {@code longpollid} and {@code mintime}, keys sorted, no
 * white space, non-ASCII escaped (spec 03 §3.3).
 *
 * @param hex 64 lower-case hex digits
 */
public record TemplateFingerprint(String hex) {

    private static final Set<String> VOLATILE_KEYS = Set.of("curtime", "longpollid", "mintime");
    private static final int CHUNK = 8 << 10;
    private static final byte[] SPECIAL = special();

    /** Checks the form. */
    public TemplateFingerprint {
        if (hex.length() != 64) {
            throw new IllegalArgumentException("a fingerprint has 64 hex digits");
        }
    }

    /**
     * Computes the fingerprint of a template.
     *
     * @param template JSON object as the node sent it
     * @return its identity
     */
    public static TemplateFingerprint of(JsonNode template) {
        Sink sink = new Sink();
        writeObject(template, sink, VOLATILE_KEYS);
        return new TemplateFingerprint(Hex.encode(sink.digest()));
    }

    private static void write(JsonNode node, Sink sink) {
        if (node.isObject()) {
            writeObject(node, sink, Set.of());
        } else if (node.isArray()) {
            String separator = "[";
            for (JsonNode element : node) {
                sink.text(separator);
                write(element, sink);
                separator = ",";
            }
            sink.text(node.isEmpty() ? "[]" : "]");
        } else if (node.isTextual()) {
            writeString(node.textValue(), sink);
        } else {
            sink.text(node.toString());
        }
    }

    private static void writeObject(JsonNode object, Sink sink, Set<String> leftOut) {
        List<String> keys = new ArrayList<>();
        for (Iterator<String> names = object.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!leftOut.contains(name)) {
                keys.add(name);
            }
        }
        keys.sort(null);
        sink.text("{");
        String separator = "";
        for (String key : keys) {
            sink.text(separator);
            writeString(key, sink);
            sink.text(":");
            write(object.get(key), sink);
            separator = ",";
        }
        sink.text("}");
    }

    private static void writeString(String text, Sink sink) {
        sink.text("\"");
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        if (isPlain(bytes)) {
            sink.bytes(bytes);
        } else {
            sink.text(escaped(text));
        }
        sink.text("\"");
    }

    /** Tells whether text is itself in JSON; a character beyond one byte has become a question mark. */
    private static boolean isPlain(byte[] text) {
        int special = 0;
        for (byte c : text) {
            special |= SPECIAL[c & 0xff]; // no branch: templates carry megabytes of hex
        }
        return special == 0;
    }

    private static byte[] special() {
        byte[] special = new byte[256];
        for (int c = 0; c < special.length; c++) {
            boolean plain = c >= 0x20 && c <= 0x7e && c != '"' && c != '\\' && c != '?';
            special[c] = (byte) (plain ? 0 : 1);
        }
        return special;
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> escaped.append("\\\"");
                case '\\' -> escaped.append("\\\\");
                case '\b' -> escaped.append("\\b");
                case '\f' -> escaped.append("\\f");
                case '\n' -> escaped.append("\\n");
                case '\r' -> escaped.append("\\r");
                case '\t' -> escaped.append("\\t");
                default -> {
                    if (c < 0x20 || c > 0x7e) {
                        escaped.append("\\u").append(Hex.encode(new byte[] {(byte) (c >> 8), (byte) c}));
                    } else {
                        escaped.append(c);
                    }
                }
            }
        }
        return escaped.toString();
    }

    @Override
    public String toString() {
        return hex;
    }

    /** Feeds text into the digest; long hex strings go in as they are. */
    private static final class Sink {

        private final MessageDigest sha256;
        private final byte[] chunk = new byte[CHUNK];
        private int filled;

        Sink() {
            try {
                sha256 = MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java platform must offer SHA-256", e);
            }
        }

        void text(String text) {
            bytes(text.getBytes(StandardCharsets.US_ASCII));
        }

        /** Adds bytes: small ones through the chunk, large ones as they are. */
        void bytes(byte[] bytes) {
            if (bytes.length > CHUNK - filled) {
                flush();
            }
            if (bytes.length > CHUNK / 2) {
                flush();
                sha256.update(bytes);
                return;
            }
            System.arraycopy(bytes, 0, chunk, filled, bytes.length);
            filled += bytes.length;
        }

        byte[] digest() {
            flush();
            return sha256.digest();
        }

        private void flush() {
            sha256.update(chunk, 0, filled);
            filled = 0;
        }
    }
}
