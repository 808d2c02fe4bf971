package org.prismpool.app.devnode.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** One method: its name, its parameters in order, and what it does. */
record RpcMethod(String name, List<String> parameters, Function<Params, CompletableFuture<JsonNode>> handler) {

    /** A method that is answered at once. */
    static RpcMethod of(String name, List<String> parameters, Function<Params, JsonNode> handler) {
        return new RpcMethod(name, parameters, params -> CompletableFuture.completedFuture(handler.apply(params)));
    }

    /** A method whose answer may come later, without a thread waiting for it. */
    static RpcMethod later(
            String name, List<String> parameters, Function<Params, CompletableFuture<JsonNode>> handler) {
        return new RpcMethod(name, parameters, handler);
    }
}
