package org.prismpool.app.publicapi.admission;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.prismpool.app.http.HttpAnswer;
import org.prismpool.app.http.HttpHead;
import org.prismpool.app.http.HttpZone;
import org.prismpool.app.publicapi.PublicErrors;

/** The rules under {@code /public/v1}: limit of each client, preflight, form of errors, headers for other pages. Thread-safe. */
public final class PublicZone implements HttpZone {

    private final ClientLimit limit;
    private final CrossOrigin crossOrigin;

    /**
     * Creates the zone; one for all listeners, so that a client has one bucket.
     *
     * @param limit limit of each client
     * @param crossOrigin which pages may read
     */
    public PublicZone(ClientLimit limit, CrossOrigin crossOrigin) {
        this.limit = limit;
        this.crossOrigin = crossOrigin;
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
        Optional<Long> wait = limit.refusal(head.client());
        if (wait.isPresent()) {
            return wait.map(seconds -> ClientLimit.after(seconds, refusal(ClientLimit.STATUS, ClientLimit.TEXT)));
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
}
