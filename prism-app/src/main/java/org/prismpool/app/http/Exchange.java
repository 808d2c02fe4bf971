package org.prismpool.app.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** One request under the rules of its zone, and the way to answer it. Answered once, by one thread. */
final class Exchange {

    private final HttpHead head;
    private final HttpZone zone;
    private final Response response;
    private final Callback callback;

    private Exchange(HttpHead head, HttpZone zone, Response response, Callback callback) {
        this.head = head;
        this.zone = zone;
        this.response = response;
        this.callback = callback;
    }

    static Exchange of(List<HttpZone> zones, String path, Request request, Response response, Callback callback) {
        HttpHead head = new HttpHead(
                request.getMethod(),
                segments(path),
                client(request),
                Optional.ofNullable(request.getHeaders().get(HttpHeader.ORIGIN)));
        HttpZone zone = zones.stream()
                .filter(candidate -> candidate.covers(head.segments()))
                .findFirst()
                .orElse(HttpZone.PRIVATE);
        return new Exchange(head, zone, response, callback);
    }

    HttpHead head() {
        return head;
    }

    HttpZone zone() {
        return zone;
    }

    void refuse(int status, String text) {
        answer(zone.refusal(status, text));
    }

    void answer(HttpAnswer unfinished) {
        answer(unfinished, () -> {});
    }

    /** Sends an answer and tells when its last byte is through, or never will be. */
    void answer(HttpAnswer unfinished, Runnable sent) {
        HttpAnswer answer = zone.finished(head, unfinished);
        response.setStatus(answer.status());
        if (!answer.contentType().isEmpty()) {
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.contentType());
        }
        response.getHeaders().put(new HttpField("X-Content-Type-Options", "nosniff"));
        response.getHeaders().put(new HttpField("Referrer-Policy", "no-referrer"));
        answer.headers().forEach((name, value) -> response.getHeaders().put(new HttpField(name, value)));
        if (answer.status() != 204) { // which has no content, not content of length 0
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, answer.body().length);
        }
        boolean silent = head.method().equals("HEAD") || answer.status() == 204;
        response.write(true, silent ? null : ByteBuffer.wrap(answer.body()), Callback.from(callback, sent));
    }

    private static List<String> segments(String path) {
        try {
            return RequestLine.segments(path);
        } catch (IllegalArgumentException badEscape) {
            return RequestLine.rawSegments(path); // refused later, in the form of the zone that it points to
        }
    }

    private static InetAddress client(Request request) {
        return request.getConnectionMetaData().getRemoteSocketAddress() instanceof InetSocketAddress remote
                        && remote.getAddress() != null
                ? remote.getAddress()
                : InetAddress.getLoopbackAddress();
    }
}
