package org.prismpool.sharewriter.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.ShareLedger;
import org.prismpool.sharewriter.ShareWriter;
import org.prismpool.sharewriter.ShareWriterConfig;
import org.prismpool.sharewriter.bench.LedgerReport.Throughput;
import org.prismpool.sharewriter.postgres.ReferenceStatement;

/** Saturated runs of the writer and of the reference's statement, in turn, so that both meet the same machine. */
final class ThroughputRuns {

    private static final int ROUNDS = 4;
    private static final int REFERENCE_BATCH = 64;

    private final ShareLedger ledger;
    private final ReferenceStatement reference;
    private final BenchShares shares;

    ThroughputRuns(ShareLedger ledger, ReferenceStatement reference, BenchShares shares) {
        this.ledger = ledger;
        this.reference = reference;
        this.shares = shares;
    }

    /** Both ways with the same largest batch. */
    Throughput equal(int count, int batch) throws InterruptedException {
        ShareWriterConfig config = new ShareWriterConfig(
                batch,
                batch,
                Duration.ZERO,
                Duration.ofMinutes(1),
                ShareWriterConfig.DEFAULTS.queueCapacity(),
                0,
                Duration.ofMinutes(1));
        return alternate(count, batch, config);
    }

    /** Both ways as they are set by default. */
    Throughput defaults(int count) throws InterruptedException {
        return alternate(count, REFERENCE_BATCH, ShareWriterConfig.DEFAULTS);
    }

    private Throughput alternate(int count, int batch, ShareWriterConfig config) throws InterruptedException {
        int part = Math.max(batch, count / ROUNDS);
        long referenceNanos = 0;
        long writerNanos = 0;
        for (int round = 0; round < ROUNDS; round++) {
            referenceNanos += reference(part, batch);
            writerNanos += writer(part, config);
        }
        double total = 1e9 * part * ROUNDS;
        return new Throughput(total / referenceNanos, total / writerNanos);
    }

    private long reference(int count, int batch) {
        List<PendingShare> all = shares.make(count);
        long start = System.nanoTime();
        for (int from = 0; from < count; from += batch) {
            reference.append(all.subList(from, Math.min(count, from + batch)));
        }
        return System.nanoTime() - start;
    }

    private long writer(int count, ShareWriterConfig config) throws InterruptedException {
        List<AppendEntry> all = BenchShares.entries(shares.make(count));
        Semaphore inFlight = new Semaphore(config.queueCapacity());
        AtomicLong failures = new AtomicLong();
        List<CompletableFuture<Void>> answers = new ArrayList<>(count);
        MonotonicClock clock = MonotonicClock.system();
        try (ShareWriter writer = new ShareWriter(ledger, config, ShareWriter.Ports.none(clock), clock)) {
            writer.start();
            long start = System.nanoTime();
            for (AppendEntry entry : all) {
                inFlight.acquire();
                answers.add(writer.submit(entry).thenAccept(result -> {
                    inFlight.release();
                    if (!result.durable()) {
                        failures.incrementAndGet();
                    }
                }));
            }
            CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).join();
            long nanos = System.nanoTime() - start;
            if (failures.get() > 0) {
                throw new IllegalStateException(failures.get() + " shares were not committed");
            }
            return nanos;
        }
    }
}
