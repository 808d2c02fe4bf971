package org.prismpool.app.publicapi.query;

/** Length of one point of a hash-rate series. */
public enum SeriesBucket {
    /** Five minutes. */
    FIVE_MINUTES("5m", 300),
    /** One hour. */
    ONE_HOUR("1h", 3600),
    /** One day. */
    ONE_DAY("1d", 86_400);

    private final String id;
    private final int seconds;

    SeriesBucket(String id, int seconds) {
        this.id = id;
        this.seconds = seconds;
    }

    /**
     * Returns the word of the contract.
     *
     * @return value of the parameter and of the member {@code bucket}
     */
    public String id() {
        return id;
    }

    /**
     * Returns the length.
     *
     * @return seconds
     */
    public int seconds() {
        return seconds;
    }
}
