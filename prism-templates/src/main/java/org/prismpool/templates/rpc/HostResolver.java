package org.prismpool.templates.rpc;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Turns the node's host name into an address before a call is sent, on a thread of its own.
 *
 * <p>The HTTP client would resolve on the calling thread, where no deadline can end it. Thread-safe.
 */
class HostResolver {

    private final String host;
    private final Executor executor;

    HostResolver(String host, Executor executor) {
        this.host = host;
        this.executor = executor;
    }

    /** Starts a resolution; its result may come after the caller has given up, and is then not used. */
    CompletableFuture<InetAddress> resolve() {
        CompletableFuture<InetAddress> result = new CompletableFuture<>();
        executor.execute(() -> {
            try {
                result.complete(lookUp(host));
            } catch (UnknownHostException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    /** Looks a name up; the JDK keeps its own short cache of the answers. */
    InetAddress lookUp(String name) throws UnknownHostException {
        return InetAddress.getByName(name);
    }
}
