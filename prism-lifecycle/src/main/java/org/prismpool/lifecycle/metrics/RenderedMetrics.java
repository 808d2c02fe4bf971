package org.prismpool.lifecycle.metrics;

import java.util.Map;

/**
 * One answer to a scrape.
 *
 * @param state how good it is
 * @param headers header fields of the contract
 * @param body text of the exposition
 */
public record RenderedMetrics(State state, Map<String, String> headers, String body) {

    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    /** How good a document is. */
    public enum State {
        /** Collected recently. */
        FRESH("fresh"),
        /** The last complete one, older than its budget. */
        STALE("stale"),
        /** None was ever collected. */
        UNAVAILABLE("unavailable");

        private final String text;

        State(String text) {
            this.text = text;
        }

        /**
         * Returns the name in the header field.
         *
         * @return the name
         */
        public String text() {
            return text;
        }
    }

    /** Copies the header fields. */
    public RenderedMetrics {
        headers = Map.copyOf(headers);
    }

    /**
     * Returns the HTTP status.
     *
     * @return 200 if a document exists, also a stale one, since scrapers discard other bodies; else 503
     */
    public int status() {
        return state == State.UNAVAILABLE ? UNAVAILABLE : OK;
    }
}
