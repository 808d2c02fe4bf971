package org.prismpool.app.http;

import java.util.Optional;

/** Answers GET requests for some paths. Thread-safe; called on a bounded pool of request threads and may block within its own bounds. */
@FunctionalInterface
public interface HttpEndpoint {

    /**
     * Answers a request.
     *
     * @param query the parsed request
     * @return the answer, empty if the path is not this endpoint's
     * @throws Exception any fault; the listener answers 500 with its text
     */
    Optional<HttpAnswer> answer(HttpQuery query) throws Exception;
}
