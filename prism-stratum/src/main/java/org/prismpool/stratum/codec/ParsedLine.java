package org.prismpool.stratum.codec;

import java.util.List;

/** What one line from a miner says. */
public sealed interface ParsedLine {

    /**
     * Returns the request's id as JSON text, to be echoed.
     *
     * @return ASCII bytes of a JSON value, {@code null} if there is none; not to be changed
     */
    byte[] id();

    /** A white-space line, to be ignored. */
    record Blank() implements ParsedLine {
        @Override
        public byte[] id() {
            return RequestParser.NULL_ID;
        }
    }

    /**
     * A request.
     *
     * @param id its id
     * @param method its method
     * @param params its parameters, empty if absent
     */
    record Request(byte[] id, String method, List<JsonValue> params) implements ParsedLine {

        /**
         * Returns a parameter coerced to text.
         *
         * @param index position from 0
         * @return its text, empty if there is no such parameter
         */
        public String text(int index) {
            return index < params.size() ? params.get(index).coerced() : "";
        }
    }

    /**
     * A line that is no request; the connection stays and is answered with error code 20.
     *
     * @param id id to answer with
     * @param message what is wrong
     */
    record Malformed(byte[] id, String message) implements ParsedLine {}

    /** A line that is not UTF-8: the connection is closed without an answer. */
    record NotUtf8() implements ParsedLine {
        @Override
        public byte[] id() {
            return RequestParser.NULL_ID;
        }
    }
}
