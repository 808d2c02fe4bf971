package org.prismpool.refresh;

import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * Sources of time and chance.
 *
 * @param monotonic ages, bounds and deadlines
 * @param wall timestamps that leave the process
 * @param jitter uniform numbers in [0, 1) for the holdoff
 */
public record RefreshClocks(MonotonicClock monotonic, InstantSource wall, DoubleSupplier jitter) {

    /** Checks the components. */
    public RefreshClocks {
        Objects.requireNonNull(monotonic, "monotonic");
        Objects.requireNonNull(wall, "wall");
        Objects.requireNonNull(jitter, "jitter");
    }

    /**
     * Returns the clocks of this process.
     *
     * @return system clocks and a thread-local generator
     */
    public static RefreshClocks system() {
        return on(MonotonicClock.system());
    }

    /**
     * Returns the clocks of this process, with another one for ages, bounds and deadlines.
     *
     * @param monotonic that clock
     * @return it, the system's wall clock and a thread-local generator
     */
    public static RefreshClocks on(MonotonicClock monotonic) {
        return new RefreshClocks(
                monotonic,
                InstantSource.system(),
                () -> ThreadLocalRandom.current().nextDouble());
    }
}
