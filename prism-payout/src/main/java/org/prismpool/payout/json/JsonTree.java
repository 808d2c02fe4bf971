package org.prismpool.payout.json;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Documents of free form as plain values: {@link Map} with text keys, {@link List}, {@link String}, {@link BigInteger},
 * {@link Long}, {@link Integer}, {@link Boolean} and null. Numbers that are not integers are refused, because they can't be
 * kept exact.
 */
public final class JsonTree {

    private JsonTree() {}

    /**
     * Reads the next value of a reader.
     *
     * @param in the reader
     * @return the value; maps keep the order of their members and are unmodifiable
     * @throws JsonException if it is malformed, has a member twice or a number that is not an integer
     */
    public static @Nullable Object read(ExactReader in) {
        return switch (in.peekValue()) {
            case '{' -> readObject(in);
            case '[' -> readArray(in);
            case '"' -> in.text();
            case 't', 'f' -> in.bool();
            case 'n' -> {
                in.nullNext();
                yield null;
            }
            default -> readInteger(in);
        };
    }

    /**
     * Reads a whole document.
     *
     * @param document the bytes
     * @return the value
     * @throws JsonException as {@link #read(ExactReader)}, or if something follows the value
     */
    public static @Nullable Object parse(byte[] document) {
        ExactReader in = ExactReader.of(document);
        Object value = read(in);
        in.end();
        return value;
    }

    /**
     * Returns the sorted compact ASCII form: keys by code point, no whitespace, everything outside ASCII as
     * {@code \}{@code uXXXX} in lower case.
     *
     * @param value the value
     * @return the text, ASCII only
     */
    public static String sortedAscii(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        write(out, value);
        return out.toString();
    }

    /**
     * Returns the SHA-256 of {@link #sortedAscii}.
     *
     * @param value the value
     * @return 64 lower-case digits
     */
    public static String sortedAsciiSha256(@Nullable Object value) {
        return Sha256.hex(sortedAscii(value).getBytes(StandardCharsets.US_ASCII));
    }

    private static Map<String, @Nullable Object> readObject(ExactReader in) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        in.openObject();
        while (in.hasMember()) {
            String name = in.memberName();
            if (members.containsKey(name)) {
                throw in.error("duplicate field");
            }
            members.put(name, read(in));
        }
        return Collections.unmodifiableMap(members);
    }

    private static List<@Nullable Object> readArray(ExactReader in) {
        List<@Nullable Object> elements = new ArrayList<>();
        in.array();
        while (in.hasElement()) {
            elements.add(read(in));
        }
        return Collections.unmodifiableList(elements);
    }

    private static BigInteger readInteger(ExactReader in) {
        String text = in.numberText();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.' || c == 'e' || c == 'E') {
                throw in.error("expected an integer");
            }
        }
        if (text.equals("-0")) {
            throw in.error("minus zero is not an integer");
        }
        return new BigInteger(text);
    }

    private static void write(StringBuilder out, @Nullable Object value) {
        if (value instanceof Map<?, ?> members) {
            writeObject(out, members);
        } else if (value instanceof List<?> elements) {
            String separator = "[";
            for (Object element : elements) {
                out.append(separator);
                write(out, element);
                separator = ",";
            }
            out.append(elements.isEmpty() ? "[]" : "]");
        } else if (value instanceof String text) {
            quote(out, text);
        } else if (value == null
                || value instanceof BigInteger
                || value instanceof Long
                || value instanceof Integer
                || value instanceof Boolean) {
            out.append(value);
        } else {
            throw new IllegalArgumentException("not a JSON value: " + value.getClass());
        }
    }

    private static void writeObject(StringBuilder out, Map<?, ?> members) {
        Map<String, @Nullable Object> sorted = new TreeMap<>(Utf8Order.COMPARATOR);
        members.forEach((key, value) -> sorted.put((String) key, value));
        out.append('{');
        boolean first = true;
        for (Map.Entry<String, @Nullable Object> member : sorted.entrySet()) {
            if (!first) {
                out.append(',');
            }
            first = false;
            quote(out, member.getKey());
            out.append(':');
            write(out, member.getValue());
        }
        out.append('}');
    }

    private static void quote(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\t' -> out.append("\\t");
                case '\n' -> out.append("\\n");
                case '\f' -> out.append("\\f");
                case '\r' -> out.append("\\r");
                default -> {
                    if (c < 0x20) {
                        escape(out, c);
                    } else {
                        appendAscii(out, c);
                    }
                }
            }
        }
        out.append('"');
    }

    /**
     * Appends a UTF-16 unit, escaped as {@code \}{@code uXXXX} if it is outside ASCII.
     *
     * @param out where to
     * @param unit the unit
     */
    public static void appendAscii(StringBuilder out, char unit) {
        if (unit < 0x80) {
            out.append(unit);
        } else {
            escape(out, unit);
        }
    }

    private static void escape(StringBuilder out, char unit) {
        out.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            out.append(Character.forDigit((unit >> shift) & 15, 16));
        }
    }
}
