package org.prismpool.app.devnode.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;

/** The answer to one JSON-RPC call. */
public sealed interface RpcAnswer {

    /**
     * The call succeeded.
     *
     * @param value the result, a JSON null for none
     */
    record Result(JsonNode value) implements RpcAnswer {}

    /**
     * The call failed.
     *
     * @param code error code as a node numbers them
     * @param message error text
     */
    record Failure(int code, String message) implements RpcAnswer {}

    /**
     * Returns the result.
     *
     * @return the result; a JSON null after a failure
     */
    default JsonNode result() {
        return this instanceof Result result ? result.value() : NullNode.getInstance();
    }

    /**
     * Returns the error code.
     *
     * @return 0 for a success
     */
    default int errorCode() {
        return this instanceof Failure failure ? failure.code() : 0;
    }
}
