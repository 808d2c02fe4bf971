package org.prismpool.delivery;

import java.util.Objects;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * What job delivery needs.
 *
 * @param work the owners of work
 * @param gate the payout gate
 * @param listener followers
 * @param metrics counts and durations
 * @param clock monotonic time
 * @param <W> the work's type
 */
public record DeliveryPorts<W>(
        CurrentWork<W> work,
        DeliveryGate gate,
        DeliveryListener listener,
        DeliveryMetrics metrics,
        MonotonicClock clock) {

    /** Checks the components. */
    public DeliveryPorts {
        Objects.requireNonNull(work, "work");
        Objects.requireNonNull(gate, "gate");
        Objects.requireNonNull(listener, "listener");
        Objects.requireNonNull(metrics, "metrics");
        Objects.requireNonNull(clock, "clock");
    }

    /**
     * Returns ports that nobody follows or counts, on the system clock.
     *
     * @param work the owners of work
     * @param gate the payout gate
     * @param <W> the work's type
     * @return the ports
     */
    public static <W> DeliveryPorts<W> of(CurrentWork<W> work, DeliveryGate gate) {
        return new DeliveryPorts<>(
                work, gate, new DeliveryListener() {}, new DeliveryMetrics() {}, MonotonicClock.system());
    }
}
