package org.prismpool.stratum.session;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Calls ports so that one that throws is the same as one whose stage fails: an answer always follows. */
final class PortCall {

    private PortCall() {}

    static <T> CompletionStage<T> of(Supplier<CompletionStage<T>> call) {
        try {
            return call.get();
        } catch (RuntimeException fault) {
            return CompletableFuture.failedFuture(fault);
        }
    }
}
