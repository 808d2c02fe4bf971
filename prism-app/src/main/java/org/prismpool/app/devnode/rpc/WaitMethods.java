package org.prismpool.app.devnode.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.prismpool.app.devnode.state.TipView;
import org.prismpool.templates.chain.Hash256;

/** Methods that wait for the tip; a waiting call occupies no thread. */
final class WaitMethods {

    private final RpcContext context;

    WaitMethods(RpcContext context) {
        this.context = context;
    }

    List<RpcMethod> all() {
        return List.of(
                RpcMethod.later("waitfornewblock", List.of("timeout", "current_tip"), this::forNewBlock),
                RpcMethod.later("waitforblock", List.of("blockhash", "timeout"), this::forBlock),
                RpcMethod.later("waitforblockheight", List.of("height", "timeout"), this::forHeight));
    }

    private CompletableFuture<JsonNode> forNewBlock(Params params) {
        long timeout = timeout(params, 0);
        Hash256 known =
                params.isPresent(1) ? params.hash(1) : context.core().view().hash();
        return await(view -> !view.hash().equals(known), timeout);
    }

    private CompletableFuture<JsonNode> forBlock(Params params) {
        Hash256 wanted = params.hash(0);
        long timeout = timeout(params, 1);
        return await(view -> view.hash().equals(wanted), timeout);
    }

    private CompletableFuture<JsonNode> forHeight(Params params) {
        long wanted = params.number(0);
        long timeout = timeout(params, 1);
        return await(view -> view.height() >= wanted, timeout);
    }

    private CompletableFuture<JsonNode> await(Predicate<TipView> wanted, long timeoutMillis) {
        return context.core()
                .watch()
                .await(wanted, timeoutMillis)
                .thenApply(view ->
                        Json.object().put("hash", view.hash().displayHex()).put("height", view.height()));
    }

    private static long timeout(Params params, int index) {
        long timeout = params.number(index, 0);
        if (timeout < 0) {
            throw new RpcException(RpcException.MISC_ERROR, "Negative timeout");
        }
        return timeout;
    }
}
