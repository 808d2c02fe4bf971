package org.prismpool.app.publicapi.model.formula;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Writes points in time: UTC, ISO 8601, ending in {@code Z}. Source: spec 08 §7.4. */
public final class PublicTime {

    private static final String HOURS_ZONE = "+00";
    private static final String MINUTES_ZONE = "+00:00";

    private PublicTime() {}

    /**
     * Writes a time of the application's clock.
     *
     * @param instant time
     * @return {@code YYYY-MM-DDTHH:MM:SSZ}, the fraction cut off
     */
    public static String text(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /**
     * Writes the time of a row.
     *
     * @param epochMs Unix milliseconds
     * @return as {@link #text}
     */
    public static String ofMillis(long epochMs) {
        return text(Instant.ofEpochMilli(epochMs));
    }

    /**
     * Writes whole seconds.
     *
     * @param epochSeconds Unix seconds
     * @return as {@link #text}
     */
    public static String ofSeconds(long epochSeconds) {
        return text(Instant.ofEpochSecond(epochSeconds));
    }

    /**
     * Turns a time as the database writes it into a public one; a fraction stays.
     *
     * @param text for example {@code 2026-06-26 19:55:00.123456+00}
     * @return {@code 2026-06-26T19:55:00.123456Z}
     */
    public static String ofDatabaseText(String text) {
        String dated = text.indexOf('T') < 0 ? text.replaceFirst(" ", "T") : text;
        for (String zone : new String[] {HOURS_ZONE, MINUTES_ZONE}) {
            if (dated.endsWith(zone)) {
                return dated.substring(0, dated.length() - zone.length()) + "Z";
            }
        }
        return dated;
    }
}
