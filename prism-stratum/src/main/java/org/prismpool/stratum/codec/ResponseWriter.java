package org.prismpool.stratum.codec;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Encodes response lines: ASCII, one object, one line feed (spec 02 §2). Pure and thread-safe. */
public final class ResponseWriter {

    private static final byte[] HEAD = ascii("{\"id\": ");
    private static final byte[] TRUE_TAIL = ascii(", \"result\": true, \"error\": null}\n");
    private static final byte[] RESULT = ascii(", \"result\": ");
    private static final byte[] NO_ERROR = ascii(", \"error\": null}\n");

    private ResponseWriter() {}

    /**
     * Encodes the answer {@code true}.
     *
     * @param id id to echo, ASCII JSON text
     * @return the line
     */
    public static byte[] accepted(byte[] id) {
        return join(id, TRUE_TAIL);
    }

    /**
     * Encodes the answer to {@code mining.subscribe}.
     *
     * @param id id to echo
     * @param extranonce1 eight lower-case hex digits
     * @param extranonce2Size bytes that the miner fills
     * @return the line
     */
    public static byte[] subscribed(byte[] id, String extranonce1, int extranonce2Size) {
        return result(id, ascii("[[], \"" + extranonce1 + "\", " + extranonce2Size + "]"));
    }

    /**
     * Encodes an object of names and truth values or strings, the answer to {@code mining.configure}.
     *
     * @param id id to echo
     * @param members members in order; values are {@link Boolean} or {@link String}
     * @return the line
     */
    public static byte[] configured(byte[] id, Map<String, Object> members) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(128);
        out.write('{');
        String separator = "";
        for (Map.Entry<String, Object> member : members.entrySet()) {
            out.writeBytes(ascii(separator));
            AsciiJson.quote(out, member.getKey());
            out.writeBytes(ascii(": "));
            if (member.getValue() instanceof String text) {
                AsciiJson.quote(out, text);
            } else {
                out.writeBytes(ascii(member.getValue().toString()));
            }
            separator = ", ";
        }
        out.write('}');
        return result(id, out.toByteArray());
    }

    /**
     * Encodes everything of an error line that follows the id, to be reused for constant errors.
     *
     * @param code error code
     * @param message free text
     * @param reasonId reason id, or empty text for none
     * @return the rest of the line
     */
    public static byte[] errorTail(int code, String message, String reasonId) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(128);
        out.writeBytes(ascii(", \"result\": null, \"error\": [" + code + ", "));
        AsciiJson.quote(out, message);
        if (reasonId.isEmpty()) {
            out.writeBytes(ascii(", null]}\n"));
        } else {
            out.writeBytes(ascii(", {\"reason_id\": "));
            AsciiJson.quote(out, reasonId);
            out.writeBytes(ascii("}]}\n"));
        }
        return out.toByteArray();
    }

    /**
     * Encodes an error line.
     *
     * @param id id to echo
     * @param tail result of {@link #errorTail(int, String, String)}
     * @return the line
     */
    public static byte[] error(byte[] id, byte[] tail) {
        return join(id, tail);
    }

    private static byte[] result(byte[] id, byte[] value) {
        byte[] line = new byte[HEAD.length + id.length + RESULT.length + value.length + NO_ERROR.length];
        int at = put(line, 0, HEAD);
        at = put(line, at, id);
        at = put(line, at, RESULT);
        at = put(line, at, value);
        put(line, at, NO_ERROR);
        return line;
    }

    private static byte[] join(byte[] id, byte[] tail) {
        byte[] line = new byte[HEAD.length + id.length + tail.length];
        int at = put(line, 0, HEAD);
        at = put(line, at, id);
        put(line, at, tail);
        return line;
    }

    static int put(byte[] line, int at, byte[] part) {
        System.arraycopy(part, 0, line, at, part.length);
        return at + part.length;
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
