package org.prismpool.app.publicapi.route;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes failures of public reads down, each kind on each route at most once in ten seconds: anybody can ask for what fails.
 * Thread-safe.
 */
final class FailureLog {

    private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);
    private static final long PAUSE_NANOS = Duration.ofSeconds(10).toNanos();

    private record Kind(String route, Class<?> failure) {}

    private record Seen(long loggedNanos, long since) {}

    private final MonotonicClock clock;
    private final Map<Kind, Seen> seen = new HashMap<>(); // guarded by itself; as many as routes and exception classes

    FailureLog(MonotonicClock clock) {
        this.clock = clock;
    }

    void report(String route, RuntimeException failure) {
        long untold;
        synchronized (seen) {
            Kind kind = new Kind(route, failure.getClass());
            long now = clock.nanoTime();
            Seen before = seen.get(kind);
            if (before != null && now - before.loggedNanos() < PAUSE_NANOS) {
                seen.put(kind, new Seen(before.loggedNanos(), before.since() + 1));
                return;
            }
            untold = before == null ? 0 : before.since();
            seen.put(kind, new Seen(now, 0));
        }
        LOG.atWarn()
                .addKeyValue("route", route)
                .addKeyValue("not_logged_before", untold)
                .setCause(failure)
                .log("public read failed");
    }
}
