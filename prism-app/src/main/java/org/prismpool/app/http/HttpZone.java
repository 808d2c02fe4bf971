package org.prismpool.app.http;

import java.util.List;
import java.util.Optional;

/**
 * The rules of one part of a listener's paths besides what its endpoints answer: whom it admits, what a refusal looks like and what
 * every answer carries. Thread-safe; called on threads that read sockets, must not block.
 */
public interface HttpZone {

    /** The rules of every path that no other zone covers: all are admitted, refusals have the private form. */
    HttpZone PRIVATE = new HttpZone() {
        @Override
        public boolean covers(List<String> segments) {
            return true;
        }

        @Override
        public HttpAnswer refusal(int status, String text) {
            return HttpAnswer.error(status, text);
        }
    };

    /**
     * Tells whether a path lies in this zone.
     *
     * @param segments segments of the path
     * @return true if these rules hold for it
     */
    boolean covers(List<String> segments);

    /**
     * Makes the answer of a request that no endpoint answers.
     *
     * @param status HTTP status
     * @param text what is wrong, shown to the sender
     * @return the answer
     */
    HttpAnswer refusal(int status, String text);

    /**
     * Answers a request at once, before its method and query are looked at.
     *
     * @param head the request
     * @return the answer, empty to go on
     */
    default Optional<HttpAnswer> first(HttpHead head) {
        return Optional.empty();
    }

    /**
     * Returns the methods of the {@code Allow} header.
     *
     * @return names with a comma between them
     */
    default String methods() {
        return "GET, HEAD";
    }

    /**
     * Adds what every answer of this zone carries.
     *
     * @param head the request
     * @param answer what would be sent
     * @return what is sent
     */
    default HttpAnswer finished(HttpHead head, HttpAnswer answer) {
        return answer;
    }
}
