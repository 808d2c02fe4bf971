package org.prismpool.sharewriter.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.ShareLedger;
import org.prismpool.sharewriter.ShareWriter;
import org.prismpool.sharewriter.ShareWriterConfig;
import org.prismpool.sharewriter.bench.LedgerReport.Throughput;
import org.prismpool.sharewriter.postgres.BareInsert;
import org.prismpool.sharewriter.postgres.ReferenceStatement;

/**
 * Saturated runs of the writer, of the reference's statement and of the bare insert, in turn, so that all meet the same
 * machine.
 */
final class ThroughputRuns {

    private static final int ROUNDS = 4;
    private static final int REFERENCE_BATCH = 64;

    private final ShareLedger ledger;
    private final ReferenceStatement reference;
    private final Supplier<BareInsert> bare;
    private final BenchShares shares;

    ThroughputRuns(ShareLedger ledger, ReferenceStatement reference, Supplier<BareInsert> bare, BenchShares shares) {
        this.ledger = ledger;
        this.reference = reference;
        this.bare = bare;
        this.shares = shares;
    }

    /** All ways with the same largest batch. */
    Throughput equal(int count, int batch) throws InterruptedException {
        ShareWriterConfig config = new ShareWriterConfig(
                batch,
                batch,
                Duration.ZERO,
                Duration.ofMinutes(1),
                ShareWriterConfig.DEFAULTS.queueCapacity(),
                0,
                Duration.ofMinutes(1));
        return alternate(count, batch, batch, config);
    }

    /** All ways as they are set by default; the bare insert with the writer's largest batch. */
    Throughput defaults(int count) throws InterruptedException {
        ShareWriterConfig config = ShareWriterConfig.DEFAULTS;
        return alternate(count, REFERENCE_BATCH, config.burstBatchSize(), config);
    }

    private Throughput alternate(int count, int batch, int bareBatch, ShareWriterConfig config)
            throws InterruptedException {
        int part = Math.max(bareBatch, count / ROUNDS);
        long referenceNanos = 0;
        long writerNanos = 0;
        long bareNanos = 0;
        for (int round = 0; round < ROUNDS; round++) {
            referenceNanos += inBatches(part, batch, reference::append);
            writerNanos += writer(part, config);
            try (BareInsert insert = bare.get()) {
                inBatches(3 * bareBatch, bareBatch, insert::append); // prepares its statement
                bareNanos += inBatches(part, bareBatch, insert::append);
            }
        }
        double total = 1e9 * part * ROUNDS;
        return new Throughput(total / referenceNanos, total / writerNanos, total / bareNanos);
    }

    private long inBatches(int count, int batch, Consumer<List<PendingShare>> append) {
        List<PendingShare> all = shares.make(count);
        long start = System.nanoTime();
        for (int from = 0; from < count; from += batch) {
            append.accept(all.subList(from, Math.min(count, from + batch)));
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
