package org.prismpool.stratum.codec;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads lines as requests (spec 02 §1.4 and §1.5). Kept and used again; confined to one thread. */
public final class RequestParser {

    static final byte[] NULL_ID = {'n', 'u', 'l', 'l'};

    private final JsonReader reader = new JsonReader();
    private final Members members = new Members();

    /** Creates a parser. */
    public RequestParser() {}

    /**
     * Parses one line without its terminator.
     *
     * @param line buffer that holds the line
     * @param start first byte
     * @param end byte after the last one
     * @return what the line says
     */
    public ParsedLine parse(byte[] line, int start, int end) {
        int from = start;
        int to = end;
        while (from < to && blank(line[from])) {
            from++;
        }
        while (to > from && blank(line[to - 1])) {
            to--;
        }
        if (from == to) {
            return new ParsedLine.Blank();
        }
        if (!utf8(line, from, to)) {
            return new ParsedLine.NotUtf8();
        }
        try {
            reader.reset(line, from, to);
            return members.read(reader, line, to);
        } catch (JsonFault fault) {
            return new ParsedLine.Malformed(NULL_ID, "invalid JSON: " + fault.getMessage());
        }
    }

    private static boolean blank(byte b) {
        return b == ' ' || (b >= '\t' && b <= '\r');
    }

    private static boolean utf8(byte[] line, int from, int to) {
        for (int i = from; i < to; i++) {
            if (line[i] < 0) {
                return decodes(line, i, to);
            }
        }
        return true;
    }

    private static boolean decodes(byte[] line, int from, int to) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line, from, to - from));
            return true;
        } catch (CharacterCodingException notUtf8) {
            return false;
        }
    }

    /** The members of the request being read that the protocol looks at. */
    private static final class Members {
        private byte[] line = {};
        private byte[] id = NULL_ID;
        private @Nullable String method;
        private @Nullable List<JsonValue> params;
        private boolean paramsMalformed;

        ParsedLine read(JsonReader reader, byte[] newLine, int end) throws JsonFault {
            line = newLine;
            id = NULL_ID;
            method = null;
            params = null;
            paramsMalformed = false;
            if (reader.peek() != '{') {
                reader.value();
                requireEnd(reader, end);
                return new ParsedLine.Malformed(NULL_ID, "request must be an object");
            }
            reader.expect('{');
            reader.enter();
            if (reader.peek() == '}') {
                reader.expect('}');
            } else {
                do {
                    member(reader, reader.name());
                } while (reader.more('}'));
            }
            requireEnd(reader, end);
            return checked();
        }

        private void member(JsonReader reader, String name) throws JsonFault {
            switch (name) {
                case "id" -> readId(reader);
                case "method" -> method = text(reader.value());
                case "params" -> readParams(reader);
                default -> reader.value();
            }
        }

        private void readId(JsonReader reader) throws JsonFault {
            reader.peek();
            int start = reader.position();
            reader.skipValue();
            id = AsciiJson.raw(line, start, reader.position());
        }

        private void readParams(JsonReader reader) throws JsonFault {
            if (reader.peek() == '[') {
                params = reader.parameters();
                paramsMalformed = false;
            } else {
                reader.value();
                paramsMalformed = true;
            }
        }

        private static @Nullable String text(JsonValue value) {
            if (value instanceof JsonValue.Text text) {
                return text.value();
            }
            return null;
        }

        private void requireEnd(JsonReader reader, int end) throws JsonFault {
            if (reader.peek() != -1 || reader.position() != end) {
                throw reader.fault("Extra data");
            }
        }

        private ParsedLine checked() {
            if (method == null) {
                return new ParsedLine.Malformed(id, "missing method");
            }
            if (paramsMalformed) {
                return new ParsedLine.Malformed(id, "params must be an array");
            }
            return new ParsedLine.Request(id, method, params == null ? List.of() : params);
        }
    }
}
