package org.prismpool.sharewriter.bench;

import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.AppendResult;
import org.prismpool.sharewriter.CreditPolicy;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.LedgerMetrics;
import org.prismpool.sharewriter.P2mrProgram;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.ShareWriter;
import org.prismpool.sharewriter.ShareWriterConfig;
import org.prismpool.sharewriter.StoredShare;
import org.prismpool.sharewriter.lease.LeaseIdentity;
import org.prismpool.sharewriter.lease.WriterFence;
import org.prismpool.sharewriter.postgres.PostgresConfig;
import org.prismpool.sharewriter.postgres.PostgresDatabase;
import org.prismpool.sharewriter.postgres.ReferenceStatement;
import org.prismpool.sharewriter.window.ShareCursor;

/**
 * Measures a real PostgreSQL: shares per second and acknowledgement times through the writer, the reference's statement
 * in the same run, and the reads of a large reward window.
 *
 * <p>Needs a migrated database of its own whose lease is free; leaves its rows there. Blocking, for one caller.
 */
public final class LedgerBench {

    private static final int IN_FLIGHT = 4096;
    private static final long ISSUED = 1_700_000_000_000L;

    private final String databaseUrl;
    private final Consumer<String> progress;

    /**
     * Creates a bench.
     *
     * @param databaseUrl address as libpq reads it
     * @param progress told one line per finished part
     */
    public LedgerBench(String databaseUrl, Consumer<String> progress) {
        this.databaseUrl = databaseUrl;
        this.progress = progress;
    }

    /**
     * Amounts of work.
     *
     * @param shares shares for each throughput part, 1 or more
     * @param pacedShares shares for the part that is not saturated, one every 10 ms
     * @param windowShares shares of the reward window, 0 to leave the part out
     */
    public record Plan(int shares, int pacedShares, int windowShares) {}

    /**
     * What was measured. Times in milliseconds.
     *
     * @param durability {@code fsync}, {@code full_page_writes} and {@code synchronous_commit} of the server, in order
     * @param reference64 shares per second of the reference's statement, batches of 64
     * @param reference512 the same, batches of 512
     * @param writer64 shares per second through the writer, saturated, batches of 64
     * @param writer512 the same, batches of 512
     * @param saturated acknowledgement times of the saturated run with batches of 64
     * @param paced acknowledgement times at one share every 10 ms
     * @param commit times of one append of one share, called directly
     * @param windowCold read of the whole window, 0 if left out
     * @param windowTail read of what 100 new shares add to it
     */
    public record Report(
            List<String> durability,
            double reference64,
            double reference512,
            double writer64,
            double writer512,
            Latency saturated,
            Latency paced,
            Latency commit,
            double windowCold,
            double windowTail) {

        /** Copies the list. */
        public Report {
            durability = List.copyOf(durability);
        }

        /**
         * Compares the writer with the reference's statement.
         *
         * @return ratios at batches of 64 and of 512, the smaller one
         */
        public double ratio() {
            return Math.min(writer64 / reference64, writer512 / reference512);
        }
    }

    /**
     * Distribution of times in milliseconds.
     *
     * @param p50 median
     * @param p99 99th percentile
     * @param max largest
     */
    public record Latency(double p50, double p99, double max) {

        static Latency of(long[] nanos) {
            long[] sorted = nanos.clone();
            Arrays.sort(sorted);
            return new Latency(millis(sorted, 0.50), millis(sorted, 0.99), millis(sorted, 1.0));
        }

        private static double millis(long[] sorted, double quantile) {
            int index = (int) Math.ceil(quantile * sorted.length) - 1;
            return sorted[Math.max(0, index)] / 1e6;
        }
    }

    /**
     * Runs every part.
     *
     * @param plan amounts of work
     * @return measurements
     * @throws InterruptedException if interrupted
     */
    public Report run(Plan plan) throws InterruptedException {
        MonotonicClock clock = MonotonicClock.system();
        LeaseIdentity identity = new LeaseIdentity("prism-bench", 1, "bench-" + System.nanoTime());
        Duration ttl = Duration.ofSeconds(60);
        WriterFence fence = new WriterFence(identity, ttl);
        try (PostgresDatabase database =
                PostgresDatabase.open(PostgresConfig.of(databaseUrl), LedgerMetrics.NONE, clock)) {
            database.leaseStore().claim(identity, ttl, Duration.ofSeconds(5)).ifPresent(holder -> {
                throw new IllegalStateException("the lease of this database is held by " + holder.writerId());
            });
            Ledger ledger = database.ledger(fence);
            try (ReferenceStatement reference = ReferenceStatement.open(PostgresConfig.of(databaseUrl), fence)) {
                List<String> durability = reference.durability();
                warmUp(ledger, reference);
                double reference64 = reference(reference, plan.shares(), 64);
                Saturated writer64 = saturated(ledger, plan.shares(), 64);
                double reference512 = reference(reference, plan.shares(), 512);
                Saturated writer512 = saturated(ledger, plan.shares(), 512);
                Latency commit = commits(ledger, plan.pacedShares());
                Latency paced = paced(ledger, plan.pacedShares());
                double[] window = plan.windowShares() == 0 ? new double[2] : window(ledger, plan.windowShares());
                return new Report(
                        durability,
                        reference64,
                        reference512,
                        writer64.perSecond,
                        writer512.perSecond,
                        writer64.latency,
                        paced,
                        commit,
                        window[0],
                        window[1]);
            }
        }
    }

    private void warmUp(Ledger ledger, ReferenceStatement reference) throws InterruptedException {
        reference(reference, 2000, 64);
        saturated(ledger, 2000, 64);
    }

    private double reference(ReferenceStatement reference, int shares, int batch) {
        List<PendingShare> all = shares(shares, 1);
        long start = System.nanoTime();
        for (int from = 0; from < shares; from += batch) {
            reference.append(all.subList(from, Math.min(shares, from + batch)));
        }
        double rate = shares * 1e9 / (System.nanoTime() - start);
        progress.accept(String.format("reference statement, batches of %d: %.0f shares/s", batch, rate));
        return rate;
    }

    private record Saturated(double perSecond, Latency latency) {}

    private Saturated saturated(Ledger ledger, int shares, int batch) throws InterruptedException {
        ShareWriterConfig config = new ShareWriterConfig(
                batch, batch, Duration.ZERO, Duration.ofMinutes(1), IN_FLIGHT, IN_FLIGHT, Duration.ofMinutes(1));
        List<PendingShare> all = shares(shares, 1);
        long[] nanos = new long[shares];
        Semaphore inFlight = new Semaphore(batch * 4);
        AtomicLong failures = new AtomicLong();
        List<CompletableFuture<Void>> answers = new ArrayList<>(shares);
        MonotonicClock clock = MonotonicClock.system();
        try (ShareWriter writer = new ShareWriter(ledger.shares(), config, ShareWriter.Ports.none(clock), clock)) {
            writer.start();
            long start = System.nanoTime();
            for (int i = 0; i < shares; i++) {
                inFlight.acquire();
                int index = i;
                long sent = System.nanoTime();
                answers.add(writer.submit(AppendEntry.share(all.get(i))).thenAccept(result -> {
                    nanos[index] = System.nanoTime() - sent;
                    inFlight.release();
                    if (!result.durable()) {
                        failures.incrementAndGet();
                    }
                }));
            }
            CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).join();
            double rate = shares * 1e9 / (System.nanoTime() - start);
            if (failures.get() > 0) {
                throw new IllegalStateException(failures.get() + " shares were not committed");
            }
            progress.accept(String.format("share writer, batches of %d: %.0f shares/s", batch, rate));
            return new Saturated(rate, Latency.of(nanos));
        }
    }

    private static Latency commits(Ledger ledger, int count) {
        List<PendingShare> all = shares(count, 1);
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            long start = System.nanoTime();
            ledger.shares().append(List.of(AppendEntry.share(all.get(i))));
            nanos[i] = System.nanoTime() - start;
        }
        return Latency.of(nanos);
    }

    private Latency paced(Ledger ledger, int count) throws InterruptedException {
        MonotonicClock clock = MonotonicClock.system();
        List<PendingShare> all = shares(count, 1);
        long[] nanos = new long[count];
        List<CompletableFuture<Void>> answers = new ArrayList<>(count);
        try (ShareWriter writer =
                new ShareWriter(ledger.shares(), ShareWriterConfig.DEFAULTS, ShareWriter.Ports.none(clock), clock)) {
            writer.start();
            long next = System.nanoTime();
            for (int i = 0; i < count; i++) {
                next += Duration.ofMillis(10).toNanos();
                for (long left = next - System.nanoTime(); left > 0; left = next - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                int index = i;
                long sent = System.nanoTime();
                answers.add(writer.submit(AppendEntry.share(all.get(i)))
                        .thenAccept(result -> nanos[index] = System.nanoTime() - sent));
            }
            CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).join();
        }
        Latency latency = Latency.of(nanos);
        progress.accept(String.format("one share every 10 ms: p50 %.1f ms, p99 %.1f ms", latency.p50, latency.p99));
        return latency;
    }

    private double[] window(Ledger ledger, int size) {
        fill(ledger, size);
        long anchor = ISSUED + 10;
        BigInteger weight = BigInteger.valueOf(size);
        Deadline deadline = Deadline.after(Duration.ofMinutes(2), MonotonicClock.system(), "bench");
        long start = System.nanoTime();
        List<StoredShare> rows = ledger.windows().snapshot(anchor, weight, deadline);
        double cold = (System.nanoTime() - start) / 1e6;
        if (rows.size() != size) {
            throw new IllegalStateException("the window holds " + rows.size() + " shares, not " + size);
        }
        List<AppendEntry> fresh = new ArrayList<>();
        for (PendingShare share : shares(100, anchor - ISSUED + 1)) {
            fresh.add(AppendEntry.share(share));
        }
        for (AppendResult result : ledger.shares().append(fresh)) {
            if (!result.durable()) {
                throw new IllegalStateException("a share was not committed");
            }
        }
        start = System.nanoTime();
        int tail = 0;
        try (ShareCursor cursor = ledger.windows().openDelta(anchor, anchor + 1, deadline)) {
            while (cursor.advance(row -> {})) {
                tail++;
            }
        }
        double tailMillis = (System.nanoTime() - start) / 1e6;
        progress.accept(
                String.format("window of %d shares: %.0f ms, %d new ones: %.1f ms", size, cold, tail, tailMillis));
        return new double[] {cold, tailMillis};
    }

    private static void fill(Ledger ledger, int size) {
        for (int from = 0; from < size; from += 1000) {
            List<AppendEntry> batch = new ArrayList<>(1000);
            for (PendingShare share : shares(Math.min(1000, size - from), 2)) {
                batch.add(AppendEntry.share(share));
            }
            ledger.shares().append(batch);
        }
    }

    private static final AtomicLong NEXT = new AtomicLong(System.nanoTime());

    /** Shares with ids and addresses as long as real ones. */
    private static List<PendingShare> shares(int count, long acceptedOffsetMs) {
        List<PendingShare> shares = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int miner = i % 500;
            String address = String.format("qb1z%058d", miner);
            String hash = String.format("%064x", NEXT.incrementAndGet());
            shares.add(new PendingShare(
                    address + ".rig" + (i % 7) + ":" + hash,
                    address,
                    address,
                    P2mrProgram.ofHex(String.format("%064x", miner)),
                    BigInteger.ONE,
                    new BigInteger("86812541144089706339356132"),
                    100,
                    "prism-1a2b3c4d-" + (i % 50),
                    ISSUED,
                    ISSUED + acceptedOffsetMs,
                    1_700_000_000L,
                    CreditPolicy.CURRENT));
        }
        return shares;
    }
}
