package org.prismpool.app.devnode.state;

import java.time.InstantSource;
import java.util.OptionalLong;

/** The node's clock: the injected source, unless a fixed time was set. Thread-safe. */
public final class NodeClock {

    private final InstantSource source;
    private volatile OptionalLong fixedSeconds = OptionalLong.empty();

    /**
     * Creates a clock.
     *
     * @param source wall time
     */
    public NodeClock(InstantSource source) {
        this.source = source;
    }

    /**
     * Returns the time.
     *
     * @return whole seconds since 1970
     */
    public long nowSeconds() {
        OptionalLong fixed = fixedSeconds;
        return fixed.isPresent() ? fixed.getAsLong() : source.instant().getEpochSecond();
    }

    /**
     * Stops the clock at a time, or lets it run again.
     *
     * @param seconds seconds since 1970; 0 lets the clock run
     */
    public void set(long seconds) {
        fixedSeconds = seconds == 0 ? OptionalLong.empty() : OptionalLong.of(seconds);
    }
}
