package org.prismpool.app.http;

import java.util.Optional;

/**
 * Answers GET requests for some paths. Thread-safe.
 *
 * <p>Called on a bounded pool of request threads, where it may block within its own bounds; or, if it says that it is
 * {@linkplain #immediate() immediate}, on a thread that reads sockets.
 */
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

    /**
     * Tells whether every answer comes from memory: it never waits for a disk, a backend or a lock that is held across one.
     * Such an endpoint is asked before all others and answers while every request thread waits for a database.
     *
     * @return false by default
     */
    default boolean immediate() {
        return false;
    }

    /**
     * Returns an immediate endpoint.
     *
     * @param answers answers from memory
     * @return the endpoint
     */
    static HttpEndpoint fromMemory(HttpEndpoint answers) {
        return new HttpEndpoint() {
            @Override
            public Optional<HttpAnswer> answer(HttpQuery query) throws Exception {
                return answers.answer(query);
            }

            @Override
            public boolean immediate() {
                return true;
            }
        };
    }
}
