package org.prismpool.sharewriter.read;

import java.time.Duration;

/** Look-back windows over which public pages show accepted work; each ends at the moment of the read. */
public enum RateWindow {
    /** One minute. */
    M1(60),
    /** Five minutes. */
    M5(300),
    /** Ten minutes. */
    M10(600),
    /** One hour. */
    H1(3_600),
    /** Three hours. */
    H3(10_800),
    /** A day. */
    H24(86_400);

    private final int seconds;

    RateWindow(int seconds) {
        this.seconds = seconds;
    }

    /**
     * Returns the window's length.
     *
     * @return seconds, the divisor of a rate
     */
    public int seconds() {
        return seconds;
    }

    /**
     * Returns the window's length.
     *
     * @return length
     */
    public Duration length() {
        return Duration.ofSeconds(seconds);
    }
}
