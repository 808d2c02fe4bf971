package org.prismpool.app.demo.miner;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** Counters of one miner. Thread-safe: adders for what the hashing threads count, one lock for the rest. */
final class MinerCounters {

    private static final int LARGEST_REASON_SET = 64;
    private static final int LONGEST_REASON = 64;

    private final LongAdder hashes = new LongAdder();
    private final LongAdder jobs = new LongAdder();
    private final LongAdder submitted = new LongAdder();
    private final LongAdder accepted = new LongAdder();
    private final LongAdder unanswered = new LongAdder();
    private final LongAdder atNetworkTarget = new LongAdder();
    private final LongAdder connections = new LongAdder();

    private final Object lock = new Object();
    private final Map<String, Long> rejected = new TreeMap<>();
    private boolean connected;
    private BigDecimal difficulty = BigDecimal.ZERO;
    private Optional<String> lastFailure = Optional.empty();

    void hashed(long count) {
        hashes.add(count);
    }

    void submitted(boolean meetsNetworkTarget) {
        submitted.increment();
        if (meetsNetworkTarget) {
            atNetworkTarget.increment();
        }
    }

    void accepted() {
        accepted.increment();
    }

    void rejected(String reason) {
        String key = reason.length() > LONGEST_REASON ? reason.substring(0, LONGEST_REASON) : reason;
        synchronized (lock) {
            boolean known = rejected.containsKey(key) || rejected.size() < LARGEST_REASON_SET;
            rejected.merge(known ? key : "other", 1L, Long::sum);
        }
    }

    void unanswered(long count) {
        unanswered.add(count);
    }

    void connectionMade() {
        connections.increment();
    }

    void workStarted(BigDecimal shareDifficulty) {
        jobs.increment();
        synchronized (lock) {
            difficulty = shareDifficulty;
        }
    }

    void authorized() {
        synchronized (lock) {
            connected = true;
        }
    }

    void disconnected(String why) {
        synchronized (lock) {
            connected = false;
            lastFailure = Optional.of(why);
        }
    }

    CpuMinerStats read() {
        synchronized (lock) {
            return new CpuMinerStats(
                    hashes.sum(),
                    jobs.sum(),
                    submitted.sum(),
                    accepted.sum(),
                    rejected,
                    unanswered.sum(),
                    atNetworkTarget.sum(),
                    connections.sum(),
                    connected,
                    difficulty,
                    lastFailure);
        }
    }
}
