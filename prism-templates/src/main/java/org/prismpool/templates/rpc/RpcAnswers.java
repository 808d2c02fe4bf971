package org.prismpool.templates.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.templates.chain.Hash256;

/** Reads typed values out of answers; whatever has another form is a protocol failure, never a guess. */
final class RpcAnswers {

    private RpcAnswers() {}

    static JsonNode object(RpcMethod method, JsonNode answer) {
        if (!answer.isObject()) {
            throw JsonRpcCodec.protocol(method, "answer is not an object");
        }
        return answer;
    }

    static String text(RpcMethod method, JsonNode answer) {
        if (!answer.isTextual()) {
            throw JsonRpcCodec.protocol(method, "answer is not a string");
        }
        return answer.textValue();
    }

    static Hash256 hash(RpcMethod method, JsonNode answer) {
        try {
            return Hash256.ofDisplayHex(text(method, answer));
        } catch (IllegalArgumentException e) {
            throw JsonRpcCodec.protocol(method, "answer is not a hash");
        }
    }

    static long integer(RpcMethod method, JsonNode answer) {
        if (!answer.isIntegralNumber() || !answer.canConvertToLong()) {
            throw JsonRpcCodec.protocol(method, "answer is not an integer");
        }
        return answer.longValue();
    }

    static OptionalLong optionalInteger(RpcMethod method, JsonNode value) {
        boolean absent = value.isMissingNode() || value.isNull();
        return absent ? OptionalLong.empty() : OptionalLong.of(integer(method, value));
    }

    static Optional<BigDecimal> decimal(JsonNode value) {
        return value.isNumber() ? Optional.of(value.decimalValue()) : Optional.empty();
    }
}
