package org.prismpool.sharewriter.bench;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.AppendResult;
import org.prismpool.sharewriter.ShareLedger;
import org.prismpool.sharewriter.ShareWriter;
import org.prismpool.sharewriter.ShareWriterConfig;
import org.prismpool.sharewriter.bench.LedgerReport.Latency;

/** Single shares at a steady pace: appended directly and submitted to the writer, in turn. */
final class LatencyRuns {

    private static final long PACE = Duration.ofMillis(10).toNanos();

    private final long[] direct;
    private final long[] writer;

    private LatencyRuns(int count) {
        this.direct = new long[count];
        this.writer = new long[count];
    }

    static LatencyRuns run(ShareLedger ledger, BenchShares shares, int count) {
        LatencyRuns runs = new LatencyRuns(count);
        List<AppendEntry> all = BenchShares.entries(shares.make(2 * count));
        MonotonicClock clock = MonotonicClock.system();
        try (ShareWriter writer =
                new ShareWriter(ledger, ShareWriterConfig.DEFAULTS, ShareWriter.Ports.none(clock), clock)) {
            writer.start();
            long next = System.nanoTime();
            for (int i = 0; i < count; i++) {
                next = awaitPace(next);
                long start = System.nanoTime();
                committed(ledger.append(List.of(all.get(2 * i))).get(0));
                runs.direct[i] = System.nanoTime() - start;
                next = awaitPace(next);
                long sent = System.nanoTime();
                committed(writer.submit(all.get(2 * i + 1)).join());
                runs.writer[i] = System.nanoTime() - sent;
            }
        }
        return runs;
    }

    private static void committed(AppendResult result) {
        if (!result.durable()) {
            throw new IllegalStateException("a share was not committed");
        }
    }

    private static long awaitPace(long last) {
        long next = Math.max(last + PACE, System.nanoTime());
        for (long left = next - System.nanoTime(); left > 0; left = next - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        return next;
    }

    Latency direct() {
        return Latency.of(direct);
    }

    Latency writer() {
        return Latency.of(writer);
    }
}
