package org.prismpool.app.devnode.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The methods by name. Thread-safe. */
public final class RpcMethods {

    private static final Logger LOG = LoggerFactory.getLogger(RpcMethods.class);
    private static final int INTERNAL_ERROR = -32603;

    private final TreeMap<String, RpcMethod> methods = new TreeMap<>();

    /**
     * Collects every method.
     *
     * @param context what they work on
     */
    public RpcMethods(RpcContext context) {
        Stream.of(
                        new ChainMethods(context).all(),
                        new TemplateMethods(context).all(),
                        new WaitMethods(context).all(),
                        new NetworkMethods(context).all(),
                        new MempoolMethods(context).all(),
                        new CoinMethods(context).all(),
                        new WalletMethods(context).all(),
                        new GenerateMethods(context).all(),
                        List.of(RpcMethod.of("help", List.of("command"), this::help)))
                .flatMap(List::stream)
                .forEach(method -> methods.put(method.name(), method));
    }

    /**
     * Calls a method.
     *
     * @param name method name
     * @param given parameters: an array, an object, or null
     * @return the answer; never completed exceptionally. Completed at once, except by methods that wait
     */
    public CompletableFuture<RpcAnswer> call(String name, JsonNode given) {
        Optional<RpcMethod> method = Optional.ofNullable(methods.get(name));
        if (method.isEmpty()) {
            return CompletableFuture.completedFuture(
                    new RpcAnswer.Failure(RpcException.METHOD_NOT_FOUND, "Method not found"));
        }
        try {
            Params params = Params.of(name, method.get().parameters(), given);
            return method.get()
                    .handler()
                    .apply(params)
                    .handle((value, failure) -> failure == null ? new RpcAnswer.Result(value) : failed(name, failure));
        } catch (RpcException e) {
            return CompletableFuture.completedFuture(new RpcAnswer.Failure(e.code(), e.text()));
        } catch (RuntimeException e) {
            return CompletableFuture.completedFuture(failed(name, e));
        }
    }

    private JsonNode help(Params params) {
        return Json.text(String.join("\n", methods.keySet()));
    }

    private static RpcAnswer failed(String name, Throwable failure) {
        LOG.atError().addKeyValue("method", name).setCause(failure).log("development node call failed");
        return new RpcAnswer.Failure(INTERNAL_ERROR, "Internal error");
    }
}
