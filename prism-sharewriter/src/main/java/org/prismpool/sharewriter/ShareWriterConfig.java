package org.prismpool.sharewriter;

import java.time.Duration;

/**
 * Settings of the group-commit writer (ledger contract §2.2).
 *
 * @param batchSize ordinary size of a batch, 1 or more; default 64
 * @param burstBatchSize size of a batch while more than {@code batchSize} entries wait, at least {@code batchSize};
 *     default 1024
 * @param linger upper bound of the wait that lets a small batch grow under load; default 5 ms; an idle writer never waits
 * @param admissionTimeout longest wait for a queue slot; default 15 s
 * @param queueCapacity entries that wait for the writer; default 4096
 * @param waitingCapacity entries that wait for a queue slot; beyond it the submit fails at once; default 4096
 * @param closeTimeout longest drain at close; default 15 s
 */
public record ShareWriterConfig(
        int batchSize,
        int burstBatchSize,
        Duration linger,
        Duration admissionTimeout,
        int queueCapacity,
        int waitingCapacity,
        Duration closeTimeout) {

    /** The contract's defaults. */
    public static final ShareWriterConfig DEFAULTS = new ShareWriterConfig(
            64, 1024, Duration.ofMillis(5), Duration.ofSeconds(15), 4096, 4096, Duration.ofSeconds(15));

    /** Checks the ranges. */
    public ShareWriterConfig {
        if (batchSize < 1 || burstBatchSize < batchSize) {
            throw new IllegalArgumentException("batch size must be 1 or more and not above the burst batch size");
        }
        if (linger.isNegative()) {
            throw new IllegalArgumentException("linger must be non-negative");
        }
        if (admissionTimeout.isNegative() || admissionTimeout.isZero()) {
            throw new IllegalArgumentException("admission timeout must be positive");
        }
        if (queueCapacity < 1 || waitingCapacity < 0) {
            throw new IllegalArgumentException("queue capacity must be positive, waiting capacity non-negative");
        }
        if (closeTimeout.isNegative()) {
            throw new IllegalArgumentException("close timeout must be non-negative");
        }
    }

    /**
     * Returns the same settings with the three values that the environment names.
     *
     * @param batch largest ordinary batch
     * @param wait linger
     * @param admission admission timeout
     * @return new settings
     */
    public ShareWriterConfig with(int batch, Duration wait, Duration admission) {
        return new ShareWriterConfig(
                batch, Math.max(batch, burstBatchSize), wait, admission, queueCapacity, waitingCapacity, closeTimeout);
    }
}
