package org.prismpool.app.devnode.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.prismpool.app.devnode.rpc.RpcAnswer;

/**
 * The JSON-RPC envelope as a node speaks it: 1.0 and 1.1 style answers carry both result and error and the error decides the
 * HTTP status; 2.0 answers always come with status 200. Thread-safe.
 */
public final class RpcEnvelope {

    private static final int INVALID_REQUEST = -32600;
    private static final int METHOD_NOT_FOUND = -32601;
    private static final int PARSE_ERROR = -32700;

    private final ObjectMapper mapper = JsonMapper.builder()
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** Creates an envelope. */
    public RpcEnvelope() {}

    /**
     * A request body.
     *
     * @param calls the calls in order
     * @param batch whether they came as an array
     */
    public record Request(List<RpcCall> calls, boolean batch) {

        /** Copies the list. */
        public Request {
            calls = List.copyOf(calls);
        }
    }

    /**
     * A response.
     *
     * @param status HTTP status
     * @param body JSON text and a line feed; empty for status 204
     */
    public record Response(int status, String body) {

        /**
         * Returns the body's bytes.
         *
         * @return UTF-8
         */
        public byte[] bytes() {
            return body.getBytes(StandardCharsets.UTF_8);
        }
    }

    /**
     * Reads a request body.
     *
     * @param body bytes from outside
     * @return the calls, or empty when this is not JSON
     */
    public Optional<Request> read(byte[] body) {
        JsonNode json;
        try {
            json = mapper.readTree(body);
        } catch (IOException e) {
            return Optional.empty();
        }
        if (json == null || json.isMissingNode()) {
            return Optional.empty();
        }
        List<RpcCall> calls = new ArrayList<>();
        if (json.isArray()) {
            json.forEach(item -> calls.add(call(item)));
        } else {
            calls.add(call(json));
        }
        return Optional.of(new Request(calls, json.isArray()));
    }

    /**
     * Answers a body that is not JSON.
     *
     * @return status 500 and error −32700
     */
    public Response parseError() {
        ObjectNode json = mapper.createObjectNode();
        json.set("result", NullNode.getInstance());
        json.set("error", error(new RpcAnswer.Failure(PARSE_ERROR, "Parse error")));
        json.set("id", NullNode.getInstance());
        return new Response(500, text(json));
    }

    /**
     * Judges a call before it is made.
     *
     * @param call a call
     * @return the failure of a malformed one, or empty
     */
    public static Optional<RpcAnswer> malformed(RpcCall call) {
        return call.method().isEmpty()
                ? Optional.of(new RpcAnswer.Failure(INVALID_REQUEST, "Missing method"))
                : Optional.empty();
    }

    /**
     * Writes the answers to a request.
     *
     * @param request the calls
     * @param answers one for each call, in order
     * @return status and body
     */
    public Response write(Request request, List<RpcAnswer> answers) {
        List<ObjectNode> written = new ArrayList<>();
        for (int i = 0; i < answers.size(); i++) {
            if (!request.calls().get(i).notification()) {
                written.add(answer(request.calls().get(i), answers.get(i)));
            }
        }
        if (written.isEmpty() && !(request.batch() && answers.isEmpty())) {
            return new Response(204, "");
        }
        if (request.batch()) {
            return new Response(200, text(mapper.createArrayNode().addAll(written)));
        }
        RpcCall call = request.calls().get(0);
        int status = call.version2() ? 200 : status(answers.get(0));
        return new Response(status, text(written.get(0)));
    }

    private static int status(RpcAnswer answer) {
        return switch (answer.errorCode()) {
            case 0 -> 200;
            case INVALID_REQUEST -> 400;
            case METHOD_NOT_FOUND -> 404;
            default -> 500;
        };
    }

    private static RpcCall call(JsonNode json) {
        boolean version2 = json.path("jsonrpc").asText("").equals("2.0");
        JsonNode id = json.path("id");
        boolean notification = version2 && id.isMissingNode();
        JsonNode params = json.path("params");
        JsonNode method = json.path("method");
        return new RpcCall(
                id.isMissingNode() ? NullNode.getInstance() : id,
                method.isTextual() ? method.asText() : "",
                params.isMissingNode() ? NullNode.getInstance() : params,
                version2,
                notification);
    }

    private ObjectNode answer(RpcCall call, RpcAnswer answer) {
        ObjectNode json = mapper.createObjectNode();
        if (call.version2()) {
            json.put("jsonrpc", "2.0");
        }
        if (answer instanceof RpcAnswer.Failure failure) {
            if (!call.version2()) {
                json.set("result", NullNode.getInstance());
            }
            json.set("error", error(failure));
        } else {
            json.set("result", answer.result());
            if (!call.version2()) {
                json.set("error", NullNode.getInstance());
            }
        }
        json.set("id", call.id());
        return json;
    }

    private ObjectNode error(RpcAnswer.Failure failure) {
        return mapper.createObjectNode().put("code", failure.code()).put("message", failure.message());
    }

    private String text(JsonNode json) {
        try {
            return mapper.writeValueAsString(json) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a JSON tree can always be written", e);
        }
    }
}
