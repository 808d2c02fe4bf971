package org.prismpool.app.demo.miner;

import java.time.Duration;

/** Delays between connection attempts: doubled at each failure in a row, bounded. Confined to one thread. */
final class ReconnectBackoff {

    private final Duration first;
    private final Duration longest;
    private Duration next;

    ReconnectBackoff(Duration first, Duration longest) {
        this.first = first;
        this.longest = longest;
        this.next = first;
    }

    Duration nextDelay() {
        Duration delay = next;
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(longest) > 0 ? longest : doubled;
        return delay;
    }

    void connectionWorked() {
        next = first;
    }
}
