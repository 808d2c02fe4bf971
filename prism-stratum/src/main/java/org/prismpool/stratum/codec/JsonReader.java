package org.prismpool.stratum.codec;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Strict JSON reader over one line (RFC 8259): no NaN, no comments, no trailing commas, bounded nesting. The caller has
 * checked that the bytes are valid UTF-8. Kept and used again; confined to one thread.
 */
final class JsonReader {

    static final int MAX_DEPTH = 32;

    private static final JsonValue NULL = new JsonValue.Null();
    private static final JsonValue TRUE = new JsonValue.Bool(true);
    private static final JsonValue FALSE = new JsonValue.Bool(false);

    private final TextCache texts = new TextCache();
    private byte[] line = {};
    private int end;
    private int at;
    private int depth;

    /** Starts to read another line. */
    void reset(byte[] newLine, int start, int newEnd) {
        line = newLine;
        at = start;
        end = newEnd;
        depth = 0;
    }

    int position() {
        return at;
    }

    /** Skips white space and returns the next byte without consuming it, or -1 at the end. */
    int peek() {
        while (at < end) {
            byte b = line[at];
            if (b != ' ' && b != '\t' && b != '\r' && b != '\n') {
                return b;
            }
            at++;
        }
        return -1;
    }

    void expect(char wanted) throws JsonFault {
        if (peek() != wanted) {
            throw fault("expected '" + wanted + "'");
        }
        at++;
    }

    void enter() throws JsonFault {
        if (++depth > MAX_DEPTH) {
            throw fault("nesting is deeper than " + MAX_DEPTH);
        }
    }

    void leave() {
        depth--;
    }

    JsonValue value() throws JsonFault {
        int next = peek();
        return switch (next) {
            case '"' -> new JsonValue.Text(string());
            case '[' -> array();
            case '{' -> object();
            case 't' -> literal("true", TRUE);
            case 'f' -> literal("false", FALSE);
            case 'n' -> literal("null", NULL);
            case -1 -> throw fault("unexpected end");
            default -> number();
        };
    }

    private JsonValue array() throws JsonFault {
        return new JsonValue.Array(items());
    }

    /** Reads an array, the cursor being on its opening bracket. */
    List<JsonValue> items() throws JsonFault {
        expect('[');
        enter();
        List<JsonValue> items = new ArrayList<>(6);
        if (peek() == ']') {
            at++;
        } else {
            do {
                items.add(value());
            } while (more(']'));
        }
        leave();
        return items;
    }

    /**
     * Reads an array of parameters. The first two, a submit's username and job id, come again and again: equal ones are
     * the same object.
     */
    List<JsonValue> parameters() throws JsonFault {
        expect('[');
        enter();
        List<JsonValue> items = new ArrayList<>(6);
        if (peek() == ']') {
            at++;
        } else {
            do {
                items.add(items.size() < 2 && peek() == '"' ? repeatedText() : value());
            } while (more(']'));
        }
        leave();
        return items;
    }

    private JsonValue repeatedText() throws JsonFault {
        int start = at + 1;
        for (int i = start; i < end && i - start <= TextCache.MAX_LENGTH; i++) {
            byte b = line[i];
            if (b == '"') {
                at = i + 1;
                return texts.get(line, start, i);
            }
            if (b < 0x20 || b == '\\') {
                break;
            }
        }
        return new JsonValue.Text(string());
    }

    private JsonValue object() throws JsonFault {
        expect('{');
        enter();
        Map<String, JsonValue> members = new HashMap<>();
        if (peek() == '}') {
            at++;
        } else {
            do {
                String name = name();
                members.put(name, value());
            } while (more('}'));
        }
        leave();
        return new JsonValue.Obj(members);
    }

    /** Reads a member name and its colon. */
    String name() throws JsonFault {
        if (peek() != '"') {
            throw fault("expected a member name");
        }
        String name = string();
        expect(':');
        return name;
    }

    /** Consumes a comma and returns true, or the closing byte and returns false. */
    boolean more(char closing) throws JsonFault {
        int next = peek();
        if (next != ',' && next != closing) {
            throw fault("expected ',' or '" + closing + "'");
        }
        at++;
        return next == ',';
    }

    private JsonValue literal(String word, JsonValue value) throws JsonFault {
        if (end - at < word.length()) {
            throw fault("unknown literal");
        }
        for (int i = 0; i < word.length(); i++) {
            if (line[at + i] != word.charAt(i)) {
                throw fault("unknown literal");
            }
        }
        at += word.length();
        return value;
    }

    private JsonValue number() throws JsonFault {
        int start = at;
        skipNumber();
        return new JsonValue.Number(new String(line, start, at - start, StandardCharsets.ISO_8859_1));
    }

    /** Reads over a value of which only the place in the line counts. */
    void skipValue() throws JsonFault {
        int next = peek();
        if (next == '-' || (next >= '0' && next <= '9')) {
            skipNumber();
        } else {
            value();
        }
    }

    private void skipNumber() throws JsonFault {
        if (at < end && line[at] == '-') {
            at++;
        }
        int whole = at;
        if (digits() == 0 || (line[whole] == '0' && at - whole > 1)) {
            throw fault("not a value");
        }
        if (at < end && line[at] == '.') {
            at++;
            if (digits() == 0) {
                throw fault("digits expected after the point");
            }
        }
        if (at < end && (line[at] == 'e' || line[at] == 'E')) {
            at++;
            if (at < end && (line[at] == '+' || line[at] == '-')) {
                at++;
            }
            if (digits() == 0) {
                throw fault("digits expected in the exponent");
            }
        }
    }

    private int digits() {
        int start = at;
        while (at < end && line[at] >= '0' && line[at] <= '9') {
            at++;
        }
        return at - start;
    }

    /** Reads a string, the cursor being on its opening quote. */
    String string() throws JsonFault {
        int start = ++at;
        boolean plain = true;
        while (at < end) {
            byte b = line[at];
            if (b == '"') {
                String text =
                        plain ? new String(line, start, at - start, StandardCharsets.ISO_8859_1) : unescaped(start, at);
                at++;
                return text;
            }
            if (b >= 0 && b < 0x20) {
                throw fault("control character in a string");
            }
            if (b == '\\') {
                plain = false;
                at++;
            } else if (b < 0) {
                plain = false;
            }
            at++;
        }
        throw fault("unterminated string");
    }

    private String unescaped(int from, int to) throws JsonFault {
        String raw = new String(line, from, to - from, StandardCharsets.UTF_8);
        StringBuilder text = new StringBuilder(raw.length());
        int i = 0;
        while (i < raw.length()) {
            char c = raw.charAt(i++);
            if (c != '\\') {
                text.append(c);
                continue;
            }
            char kind = raw.charAt(i++);
            if (kind == 'u') {
                text.append(fourDigits(raw, i));
                i += 4;
            } else {
                text.append(simpleEscape(kind));
            }
        }
        return text.toString();
    }

    private char simpleEscape(char kind) throws JsonFault {
        return switch (kind) {
            case '"', '\\', '/' -> kind;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> throw fault("unknown escape");
        };
    }

    private char fourDigits(String raw, int from) throws JsonFault {
        if (from + 4 > raw.length()) {
            throw fault("four hex digits expected");
        }
        int value = 0;
        for (int i = from; i < from + 4; i++) {
            int digit = HexText.digit(raw.charAt(i));
            if (digit < 0) {
                throw fault("four hex digits expected");
            }
            value = value << 4 | digit;
        }
        return (char) value;
    }

    JsonFault fault(String what) {
        return new JsonFault(what + " at byte " + at);
    }
}
