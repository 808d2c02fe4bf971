package org.prismpool.app.publicapi.admission;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import org.prismpool.app.http.HttpAnswer;

/**
 * The limit of each client, and who is told of what it refuses. Thread-safe.
 *
 * @param limiter buckets of the clients
 * @param refused told of each request that is refused; must not block
 */
public record ClientLimit(AddressLimiter limiter, Runnable refused) {

    static final int STATUS = 429;
    static final String TEXT = "too many requests from this address";

    /** How long a client has to wait, in whole seconds of at least one; empty if it is admitted. */
    Optional<Long> refusal(InetAddress client) {
        Optional<Duration> wait = limiter.refused(client);
        wait.ifPresent(tooEarly -> refused.run());
        return wait.map(time -> Math.max(1, time.plusNanos(999_999_999).toSeconds()));
    }

    static HttpAnswer after(long seconds, HttpAnswer refusal) {
        return refusal.withHeader("Retry-After", Long.toString(seconds));
    }
}
