package org.prismpool.bundle.internal;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.prismpool.bundle.PriorityReservation;

/**
 * Reservations of publication work and the routine requests that give way to it (spec 07 §4.4). Thread-safe, lock-free.
 */
final class PriorityDesk {

    private final AtomicInteger reservations = new AtomicInteger();
    private final Set<RequestFlow> preparing = ConcurrentHashMap.newKeySet();
    private final Set<RequestFlow> parked = ConcurrentHashMap.newKeySet();

    PriorityReservation reserve(Runnable released) {
        reservations.incrementAndGet();
        // After the count: a preparation that starts from here on sees the reservation itself.
        preparing.forEach(flow -> flow.preparing.ifPresent(control -> control.cancel(Scheduler.PUBLICATION_PRIORITY)));
        AtomicBoolean held = new AtomicBoolean(true);
        return () -> {
            if (held.compareAndSet(true, false)) {
                reservations.decrementAndGet();
                released.run();
            }
        };
    }

    boolean reserved() {
        return reservations.get() > 0;
    }

    void prepares(RequestFlow flow) {
        preparing.add(flow);
    }

    void prepared(RequestFlow flow) {
        preparing.remove(flow);
    }

    void park(RequestFlow flow) {
        parked.add(flow);
    }

    /** Takes a flow out; false if someone else did. */
    boolean unpark(RequestFlow flow) {
        return parked.remove(flow);
    }

    List<RequestFlow> parked() {
        return List.copyOf(parked);
    }

    int parkedCount() {
        return parked.size();
    }
}
