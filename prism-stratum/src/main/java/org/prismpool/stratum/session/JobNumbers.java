package org.prismpool.stratum.session;

import java.util.concurrent.atomic.AtomicLong;

/** Numbers the jobs of one process (spec 02 §5.1). Thread-safe. */
final class JobNumbers {

    private final AtomicLong last = new AtomicLong();
    private final String prefix;

    JobNumbers(String bootId) {
        prefix = bootId.isEmpty() ? "prism-" : "prism-" + bootId + "-";
    }

    String next() {
        return prefix + last.incrementAndGet();
    }
}
