package org.prismpool.lifecycle.health;

/**
 * One answer to "are you healthy".
 *
 * @param ok the verdict
 * @param body JSON object of the contract
 */
public record HealthAnswer(boolean ok, String body) {

    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    /**
     * Returns the HTTP status of the answer.
     *
     * @return 200 if and only if healthy, else 503
     */
    public int status() {
        return ok ? OK : UNAVAILABLE;
    }
}
