package org.prismpool.templates.rpc;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes requests and reads answers in the node's JSON-RPC dialect. Numbers are read as exact decimals. Thread-safe.
 */
final class JsonRpcCodec {

    private static final int SHOWN_BODY = 200;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int UNAVAILABLE = 503;
    private static final int OK = 200;

    private final ObjectMapper mapper = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    byte[] request(String id, RpcMethod method, List<?> params) {
        try {
            return envelope(id, method, mapper.writeValueAsString(params));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("parameters of " + method.wireName() + " are not JSON values", e);
        }
    }

    /** Writes the one parameter of a block submission without passing megabytes of hex through the JSON writer. */
    byte[] hexRequest(String id, RpcMethod method, String hex) {
        return envelope(id, method, "[\"" + hex + "\"]");
    }

    private static byte[] envelope(String id, RpcMethod method, String params) {
        String body = "{\"jsonrpc\":\"1.0\",\"id\":\"" + id + "\",\"method\":\"" + method.wireName() + "\",\"params\":"
                + params + "}";
        return body.getBytes(StandardCharsets.UTF_8);
    }

    JsonNode result(String id, RpcMethod method, RpcTransport.Answer answer) {
        JsonNode body = body(method, answer);
        JsonNode error = body.path("error");
        if (!error.isMissingNode() && !error.isNull()) {
            requireId(id, method, body, true);
            int code = error.path("code").asInt(0);
            String text = error.path("message").asText("");
            throw new RpcException(method, new RpcFailure.NodeError(code, text, answer.status()));
        }
        requireId(id, method, body, false);
        if (answer.status() != OK || !body.has("result")) {
            throw protocol(method, "HTTP " + answer.status() + " without result and error");
        }
        return body.get("result");
    }

    private JsonNode body(RpcMethod method, RpcTransport.Answer answer) {
        JsonNode body;
        try {
            body = mapper.readTree(answer.body());
        } catch (IOException e) {
            throw withoutJson(method, answer);
        }
        if (body == null || !body.isObject()) {
            throw withoutJson(method, answer);
        }
        return body;
    }

    private static RpcException withoutJson(RpcMethod method, RpcTransport.Answer answer) {
        int shown = Math.min(SHOWN_BODY, answer.body().length);
        String start =
                new String(answer.body(), 0, shown, StandardCharsets.ISO_8859_1).replaceAll("[^\\x20-\\x7e]", "?");
        String message = "HTTP " + answer.status() + " without JSON, is this the node's RPC port? " + start;
        RpcFailure failure = switch (answer.status()) {
            case UNAUTHORIZED -> new RpcFailure.Unauthorized("HTTP 401: the node refuses the RPC credentials");
            case FORBIDDEN ->
                new RpcFailure.Forbidden("HTTP 403: the node's RPC allow-list excludes this client or method");
            case UNAVAILABLE -> new RpcFailure.Busy("HTTP 503: the node's RPC work queue is full");
            default -> new RpcFailure.Protocol(message);
        };
        return new RpcException(method, failure);
    }

    private static void requireId(String id, RpcMethod method, JsonNode body, boolean mayBeNull) {
        JsonNode answered = body.path("id");
        // A node that can't read a request answers with an error and a null id.
        boolean absent = mayBeNull && (answered.isNull() || answered.isMissingNode());
        if (!absent && !id.equals(answered.asText(""))) {
            throw protocol(method, "answer belongs to another request");
        }
    }

    static RpcException protocol(RpcMethod method, String message) {
        return new RpcException(method, new RpcFailure.Protocol(message));
    }
}
