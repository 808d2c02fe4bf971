package org.prismpool.stratum.codec;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A JSON value of a request, as far as the protocol looks at it. Immutable. */
public sealed interface JsonValue {

    /**
     * Returns the value as the text that the protocol's string parameters are coerced to.
     *
     * @return the string itself, the digits of a number as sent, {@code True} or {@code False}, or empty text for null;
     *     arrays and objects give a text that no valid parameter equals
     */
    String coerced();

    /**
     * Returns the text of a string.
     *
     * @return the string, or empty if this is no string
     */
    default Optional<String> string() {
        return Optional.empty();
    }

    /**
     * A string.
     *
     * @param value its characters; may hold unpaired surrogates
     */
    record Text(String value) implements JsonValue {
        @Override
        public String coerced() {
            return value;
        }

        @Override
        public Optional<String> string() {
            return Optional.of(value);
        }
    }

    /**
     * A number, kept as sent.
     *
     * @param digits its text, a valid JSON number
     */
    record Number(String digits) implements JsonValue {
        @Override
        public String coerced() {
            return digits;
        }
    }

    /**
     * A truth value.
     *
     * @param value the value
     */
    record Bool(boolean value) implements JsonValue {
        @Override
        public String coerced() {
            return value ? "True" : "False";
        }
    }

    /** The null value. */
    record Null() implements JsonValue {
        @Override
        public String coerced() {
            return "";
        }
    }

    /**
     * An array.
     *
     * @param items its elements
     */
    record Array(List<JsonValue> items) implements JsonValue {
        /** Copies the elements. */
        public Array {
            items = List.copyOf(items);
        }

        @Override
        public String coerced() {
            return "[]";
        }
    }

    /**
     * An object.
     *
     * @param members its members; of equal names the last one counts
     */
    record Obj(Map<String, JsonValue> members) implements JsonValue {
        /** Copies the members. */
        public Obj {
            members = Map.copyOf(members);
        }

        @Override
        public String coerced() {
            return "{}";
        }
    }
}
