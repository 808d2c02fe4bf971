package org.prismpool.app.devnode.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;

/** Builds JSON values in the forms a node uses. */
final class Json {

    private static final int COIN_DECIMALS = 8;

    private Json() {}

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static ArrayNode array() {
        return JsonNodeFactory.instance.arrayNode();
    }

    static JsonNode text(String value) {
        return TextNode.valueOf(value);
    }

    static JsonNode nothing() {
        return NullNode.getInstance();
    }

    /** An amount of base units in coins, eight decimals. */
    static BigDecimal coins(long sats) {
        return BigDecimal.valueOf(sats, COIN_DECIMALS);
    }

    /** A 256-bit number, most significant digit first. */
    static String wide(BigInteger value) {
        String digits = value.toString(16).toLowerCase(Locale.ROOT);
        return "0".repeat(Math.max(0, 64 - digits.length())) + digits;
    }
}
