package org.prismpool.delivery.internal;

import java.util.concurrent.atomic.AtomicInteger;

/** Sizes of the fan-out under way, written by its driver and its outcomes, read by anyone. */
final class FanoutGauge {

    /** Deliveries submitted and without an outcome. */
    final AtomicInteger inFlight = new AtomicInteger();

    /** Deliveries that wait for their submission. */
    final AtomicInteger queued = new AtomicInteger();

    /** How many deliveries the newest fan-out submits at a time; 0 before the first. */
    final AtomicInteger width = new AtomicInteger();
}
