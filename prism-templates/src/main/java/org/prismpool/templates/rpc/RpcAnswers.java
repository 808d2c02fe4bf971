package org.prismpool.templates.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.templates.chain.Hash256;

/** Reads typed values out of answers; whatever has another form is a protocol failure, never a guess, unless it is only shown. */
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
        return integerOrNone(answer).orElseThrow(() -> JsonRpcCodec.protocol(method, "answer is not an integer"));
    }

    /** For what is only shown: another form is as good as none. */
    static OptionalLong integerOrNone(JsonNode value) {
        boolean integer = value.isIntegralNumber() && value.canConvertToLong();
        return integer ? OptionalLong.of(value.longValue()) : OptionalLong.empty();
    }

    static OptionalLong optionalInteger(RpcMethod method, JsonNode value) {
        boolean absent = value.isMissingNode() || value.isNull();
        return absent ? OptionalLong.empty() : OptionalLong.of(integer(method, value));
    }

    static Optional<BigDecimal> decimal(JsonNode value) {
        return value.isNumber() ? Optional.of(value.decimalValue()) : Optional.empty();
    }
}
