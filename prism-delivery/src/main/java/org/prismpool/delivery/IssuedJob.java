package org.prismpool.delivery;

import java.util.Objects;

/**
 * A job stamped for one connection. Immutable: an id resolves to this one context until it expires.
 *
 * @param id job id, unique in this process and, with a boot part, across restarts
 * @param connectionId connection that it was issued to
 * @param generations the connection's generations at issue
 * @param key identity of its work
 * @param clean the notify's clean flag
 * @param payload the opaque job context
 * @param issuedNanos monotonic instant of the commit
 * @param <J> the job context's type
 */
public record IssuedJob<J>(
        String id,
        long connectionId,
        Generations generations,
        WorkKey key,
        boolean clean,
        J payload,
        long issuedNanos) {

    /** Checks the components. */
    public IssuedJob {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(generations, "generations");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(payload, "payload");
    }
}
