package org.prismpool.app.publicapi.query;

import java.time.Duration;
import java.util.Optional;

/** How far a hash-rate series reaches back. */
public enum SeriesRange {
    /** Seven days. */
    WEEK("1w", 7, SeriesBucket.ONE_HOUR),
    /** Thirty days. */
    MONTH("1m", 30, SeriesBucket.ONE_HOUR),
    /** A hundred and eighty days. */
    HALF_YEAR("6m", 180, SeriesBucket.ONE_DAY),
    /** Since the first share. */
    ALL("all", 0, SeriesBucket.ONE_DAY);

    private final String id;
    private final int days;
    private final SeriesBucket automatic;

    SeriesRange(String id, int days, SeriesBucket automatic) {
        this.id = id;
        this.days = days;
        this.automatic = automatic;
    }

    /**
     * Returns the word of the contract.
     *
     * @return value of the parameter and of the member {@code range}
     */
    public String id() {
        return id;
    }

    /**
     * Returns the length.
     *
     * @return the length, empty if the range has no begin
     */
    public Optional<Duration> length() {
        return days == 0 ? Optional.empty() : Optional.of(Duration.ofDays(days));
    }

    /**
     * Returns the bucket of {@code bucket=auto}.
     *
     * @return the bucket
     */
    public SeriesBucket automatic() {
        return automatic;
    }
}
