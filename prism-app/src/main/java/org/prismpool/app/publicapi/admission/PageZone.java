package org.prismpool.app.publicapi.admission;

import java.util.List;
import java.util.Optional;
import org.prismpool.app.http.HttpAnswer;
import org.prismpool.app.http.HttpHead;
import org.prismpool.app.http.HttpZone;

/** The pool's page and its scripts: under the same limit as what the page reads, for painting it may ask the ledger. Thread-safe. */
public final class PageZone implements HttpZone {

    private final ClientLimit limit;

    /**
     * Creates the zone.
     *
     * @param limit limit of each client, shared with the API
     */
    public PageZone(ClientLimit limit) {
        this.limit = limit;
    }

    @Override
    public boolean covers(List<String> segments) {
        return segments.isEmpty() || segments.get(0).equals("dashboard");
    }

    @Override
    public HttpAnswer refusal(int status, String text) {
        return HttpZone.PRIVATE.refusal(status, text);
    }

    @Override
    public Optional<HttpAnswer> first(HttpHead head) {
        return limit.refusal(head.client())
                .map(seconds -> ClientLimit.after(seconds, refusal(ClientLimit.STATUS, ClientLimit.TEXT)));
    }
}
