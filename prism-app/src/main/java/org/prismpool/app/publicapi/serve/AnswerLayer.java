package org.prismpool.app.publicapi.serve;

import org.prismpool.app.http.HttpEndpoint;

/** Something between the public API and its listeners that may change, repeat or refuse answers. Thread-safe. */
public interface AnswerLayer {

    /** Changes nothing. */
    AnswerLayer NONE = new AnswerLayer() {
        @Override
        public HttpEndpoint remembered(HttpEndpoint cache) {
            return cache;
        }

        @Override
        public HttpEndpoint computed(HttpEndpoint reads) {
            return reads;
        }
    };

    /**
     * Wraps the endpoint that answers at once, on a thread that reads sockets.
     *
     * @param cache answers from memory: what is fresh, and what cannot be asked like that
     * @return an endpoint that does not wait either
     */
    HttpEndpoint remembered(HttpEndpoint cache);

    /**
     * Wraps the endpoint that reads what is not in the cache.
     *
     * @param reads waits for ledger and node
     * @return an endpoint that may wait
     */
    HttpEndpoint computed(HttpEndpoint reads);
}
