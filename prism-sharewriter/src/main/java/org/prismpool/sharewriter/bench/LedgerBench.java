package org.prismpool.sharewriter.bench;

import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.AppendResult;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.LedgerMetrics;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.ShareLedger;
import org.prismpool.sharewriter.StoredShare;
import org.prismpool.sharewriter.bench.LedgerReport.Throughput;
import org.prismpool.sharewriter.lease.LeaseIdentity;
import org.prismpool.sharewriter.lease.WriterFence;
import org.prismpool.sharewriter.postgres.BareInsert;
import org.prismpool.sharewriter.postgres.BenchServer;
import org.prismpool.sharewriter.postgres.PostgresConfig;
import org.prismpool.sharewriter.postgres.PostgresDatabase;
import org.prismpool.sharewriter.postgres.PostgresTarget;
import org.prismpool.sharewriter.postgres.ReferenceStatement;
import org.prismpool.sharewriter.window.ShareCursor;
import org.prismpool.sharewriter.window.WindowReader;

/**
 * Measures a real PostgreSQL: shares per second and acknowledgement times through the writer, the reference's statement
 * and a bare insert in the same run, and the reads of a large reward window.
 *
 * <p>Needs a migrated database of its own whose lease is free; leaves its rows there. Blocking, for one caller.
 */
public final class LedgerBench {

    private static final long ISSUED = 1_700_000_000_000L;
    private static final int PLANNED_ROWS = 4096;

    private final PostgresConfig config;
    private final Consumer<String> progress;
    private final BenchShares shares = new BenchShares(ISSUED);

    /**
     * Creates a bench.
     *
     * @param database where the database is
     * @param progress told one line per finished part
     */
    public LedgerBench(PostgresTarget database, Consumer<String> progress) {
        this.config = PostgresConfig.of(database);
        this.progress = progress;
    }

    /**
     * Amounts of work.
     *
     * @param shares shares for each way of each throughput part, 1 or more
     * @param pacedShares shares for each way of the part that is not saturated, 1 or more
     * @param windowShares shares of the reward window, 0 to leave the part out
     */
    public record Plan(int shares, int pacedShares, int windowShares) {}

    /**
     * Runs every part.
     *
     * @param plan amounts of work
     * @return measurements
     * @throws InterruptedException if interrupted
     */
    public LedgerReport run(Plan plan) throws InterruptedException {
        MonotonicClock clock = MonotonicClock.system();
        LeaseIdentity identity = new LeaseIdentity("prism-bench", 1, "bench-" + System.nanoTime());
        Duration ttl = Duration.ofSeconds(60);
        WriterFence fence = new WriterFence(identity, ttl);
        try (PostgresDatabase database = PostgresDatabase.open(config, LedgerMetrics.NONE, clock)) {
            database.leaseStore().claim(identity, ttl, Duration.ofSeconds(5)).ifPresent(holder -> {
                throw new IllegalStateException("the lease of this database is held by " + holder.writerId());
            });
            try {
                return measure(plan, database.ledger(fence), fence);
            } finally {
                database.leaseStore().release(identity, Deadline.after(Duration.ofSeconds(5), clock, "bench"));
            }
        }
    }

    private LedgerReport measure(Plan plan, Ledger ledger, WriterFence fence) throws InterruptedException {
        try (ReferenceStatement reference = ReferenceStatement.open(config, fence)) {
            ThroughputRuns throughput =
                    new ThroughputRuns(ledger.shares(), reference, () -> BareInsert.open(config, fence), shares);
            throughput.equal(Math.max(2000, plan.shares() / 4), 64); // warms all ways up
            Throughput batch64 = told("batches of 64", throughput.equal(plan.shares(), 64));
            Throughput batch512 = told("batches of 512", throughput.equal(plan.shares(), 512));
            Throughput defaults = told("default settings", throughput.defaults(plan.shares()));
            LatencyRuns latency = LatencyRuns.run(ledger.shares(), shares, plan.pacedShares());
            tell(
                    "not saturated: one append p50 %.1f ms p99 %.1f ms, through the writer p50 %.1f ms p99 %.1f ms",
                    latency.direct().p50(),
                    latency.direct().p99(),
                    latency.writer().p50(),
                    latency.writer().p99());
            double[] window = plan.windowShares() == 0 ? new double[2] : window(ledger, plan.windowShares());
            return new LedgerReport(
                    BenchServer.ask(config, ISSUED + 10, PLANNED_ROWS),
                    batch64,
                    batch512,
                    defaults,
                    latency.direct(),
                    latency.writer(),
                    plan.windowShares(),
                    window[0],
                    window[1]);
        }
    }

    private Throughput told(String part, Throughput measured) {
        tell(
                "%s: writer %.0f shares/s, reference statement %.0f shares/s, ratio %.2f; bare insert %.0f shares/s,"
                        + " of which the writer reaches %.0f %%",
                part,
                measured.writer(),
                measured.reference(),
                measured.ratio(),
                measured.bare(),
                100 * measured.ofPossible());
        return measured;
    }

    private void tell(String format, Object... values) {
        progress.accept(String.format(Locale.ROOT, format, values));
    }

    private double[] window(Ledger ledger, int size) {
        long anchor = ISSUED + 10;
        for (int from = 0; from < size; from += 1000) {
            append(ledger.shares(), shares.make(Math.min(1000, size - from)));
        }
        WindowReader windows = ledger.windows();
        BigInteger weight = BigInteger.valueOf(size);
        Deadline deadline = Deadline.after(Duration.ofMinutes(2), MonotonicClock.system(), "bench");
        long start = System.nanoTime();
        List<StoredShare> rows = windows.snapshot(anchor, weight, deadline);
        double cold = (System.nanoTime() - start) / 1e6;
        if (rows.size() != size) {
            throw new IllegalStateException("the window holds " + rows.size() + " shares, not " + size);
        }
        append(ledger.shares(), shares.make(100, anchor + 1));
        start = System.nanoTime();
        int tail = 0;
        try (ShareCursor cursor = windows.openDelta(anchor, anchor + 1, deadline)) {
            while (cursor.advance(row -> {})) {
                tail++;
            }
        }
        double tailMillis = (System.nanoTime() - start) / 1e6;
        tell("window of %d shares: %.0f ms, %d new ones: %.1f ms", size, cold, tail, tailMillis);
        return new double[] {cold, tailMillis};
    }

    private static void append(ShareLedger ledger, List<PendingShare> fresh) {
        for (AppendResult result : ledger.append(BenchShares.entries(fresh))) {
            if (!result.durable()) {
                throw new IllegalStateException("a share was not committed");
            }
        }
    }
}
