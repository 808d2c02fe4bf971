package org.prismpool.app.devnode.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.prismpool.templates.chain.Hash256;

/** The parameters of one call, by position; named ones are put in order first. */
final class Params {

    private final List<String> names;
    private final List<JsonNode> values;

    private Params(List<String> names, List<JsonNode> values) {
        this.names = names;
        this.values = values;
    }

    static Params of(String method, List<String> names, JsonNode given) {
        List<JsonNode> values = new ArrayList<>();
        if (given.isArray()) {
            given.forEach(values::add);
        } else if (given.isObject()) {
            byName(names, given, values);
        } else if (!given.isNull() && !given.isMissingNode()) {
            throw new RpcException(-32600, "Params must be an array or object");
        }
        if (values.size() > names.size()) {
            throw new RpcException(RpcException.MISC_ERROR, method + " " + String.join(" ", names));
        }
        return new Params(names, values);
    }

    boolean isPresent(int index) {
        return index < values.size() && !values.get(index).isNull();
    }

    JsonNode node(int index) {
        return index < values.size() ? values.get(index) : NullNode.getInstance();
    }

    String text(int index) {
        JsonNode value = required(index);
        if (!value.isTextual()) {
            throw wrongType(value, "string");
        }
        return value.asText();
    }

    long number(int index) {
        JsonNode value = required(index);
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw wrongType(value, "number");
        }
        return value.asLong();
    }

    long number(int index, long absent) {
        return isPresent(index) ? number(index) : absent;
    }

    /** A node takes numbers and truth values alike where a verbosity is meant. */
    long verbosity(int index, long absent) {
        if (isPresent(index) && node(index).isBoolean()) {
            return node(index).asBoolean() ? 1 : 0;
        }
        return number(index, absent);
    }

    boolean flag(int index, boolean absent) {
        if (!isPresent(index)) {
            return absent;
        }
        JsonNode value = node(index);
        if (!value.isBoolean()) {
            throw wrongType(value, "bool");
        }
        return value.asBoolean();
    }

    List<JsonNode> list(int index) {
        JsonNode value = required(index);
        if (!value.isArray()) {
            throw wrongType(value, "array");
        }
        List<JsonNode> items = new ArrayList<>();
        value.forEach(items::add);
        return items;
    }

    Hash256 hash(int index) {
        String text = text(index);
        if (text.length() != 2 * Hash256.SIZE) {
            throw new RpcException(
                    RpcException.INVALID_PARAMETER,
                    names.get(index) + " must be of length 64 (not " + text.length() + ")");
        }
        try {
            return Hash256.ofDisplayHex(text);
        } catch (IllegalArgumentException e) {
            throw new RpcException(RpcException.INVALID_PARAMETER, names.get(index) + " must be hexadecimal string");
        }
    }

    private JsonNode required(int index) {
        if (!isPresent(index)) {
            throw new RpcException(RpcException.MISC_ERROR, "missing parameter " + names.get(index));
        }
        return values.get(index);
    }

    private static void byName(List<String> names, JsonNode given, List<JsonNode> values) {
        for (String name : names) {
            values.add(given.path(name).isMissingNode() ? NullNode.getInstance() : given.path(name));
        }
        for (Iterator<String> all = given.fieldNames(); all.hasNext(); ) {
            String name = all.next();
            if (!names.contains(name)) {
                throw new RpcException(RpcException.INVALID_PARAMETER, "Unknown named parameter " + name);
            }
        }
        while (!values.isEmpty() && values.get(values.size() - 1).isNull()) {
            values.remove(values.size() - 1);
        }
    }

    private static RpcException wrongType(JsonNode value, String expected) {
        String actual = value.getNodeType().name().toLowerCase(Locale.ROOT);
        return new RpcException(
                RpcException.TYPE_ERROR, "JSON value of type " + actual + " is not of expected type " + expected);
    }

    /** An empty parameter list, for calls made by the node itself. */
    static JsonNode none() {
        return JsonNodeFactory.instance.arrayNode();
    }
}
