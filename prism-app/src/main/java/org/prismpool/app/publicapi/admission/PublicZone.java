package org.prismpool.app.publicapi.admission;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.prismpool.app.http.HttpAnswer;
import org.prismpool.app.http.HttpHead;
import org.prismpool.app.http.HttpZone;
import org.prismpool.app.publicapi.PublicErrors;

/** The rules under {@code /public/v1}: limit of each client, preflight, form of errors, headers for other pages. Thread-safe. */
public final class PublicZone implements HttpZone {

    private final AddressLimiter limiter;
    private final CrossOrigin crossOrigin;
    private final Runnable limited;

    /**
     * Creates the zone; one for all listeners, so that a client has one bucket.
     *
     * @param limiter limit of each client
     * @param crossOrigin which pages may read
     * @param limited told of each request that the limit refuses; must not block
     */
    public PublicZone(AddressLimiter limiter, CrossOrigin crossOrigin, Runnable limited) {
        this.limiter = limiter;
        this.crossOrigin = crossOrigin;
        this.limited = limited;
    }

    @Override
    public boolean covers(List<String> segments) {
        return segments.size() >= 2
                && segments.get(0).equals("public")
                && segments.get(1).equals("v1");
    }

    @Override
    public HttpAnswer refusal(int status, String text) {
        return PublicErrors.of(status, text);
    }

    @Override
    public Optional<HttpAnswer> first(HttpHead head) {
        Optional<Duration> wait = limiter.refused(head.client());
        if (wait.isPresent()) {
            limited.run();
            return Optional.of(PublicErrors.of(429, "too many requests from this address")
                    .withHeader("Retry-After", Long.toString(wholeSeconds(wait.get()))));
        }
        if (head.method().equals("OPTIONS") && crossOrigin.enabled()) {
            HttpAnswer empty = new HttpAnswer(204, "", new byte[0], CrossOrigin.preflight());
            return Optional.of(empty.withHeader("Allow", methods()));
        }
        return Optional.empty();
    }

    @Override
    public String methods() {
        return crossOrigin.enabled() ? "GET, HEAD, OPTIONS" : HttpZone.super.methods();
    }

    @Override
    public HttpAnswer finished(HttpHead head, HttpAnswer answer) {
        HttpAnswer finished = answer;
        for (Map.Entry<String, String> header :
                crossOrigin.headers(head.origin()).entrySet()) {
            finished = finished.withHeader(header.getKey(), header.getValue());
        }
        return finished;
    }

    private static long wholeSeconds(Duration wait) {
        return Math.max(1, wait.plusNanos(999_999_999).toSeconds());
    }
}
