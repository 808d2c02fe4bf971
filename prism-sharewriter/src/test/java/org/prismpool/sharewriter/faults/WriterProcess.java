package org.prismpool.sharewriter.faults;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.AppendResult;
import org.prismpool.sharewriter.LedgerMetrics;
import org.prismpool.sharewriter.ShareWriter;
import org.prismpool.sharewriter.ShareWriterConfig;
import org.prismpool.sharewriter.contract.Samples;
import org.prismpool.sharewriter.lease.LeaseConfig;
import org.prismpool.sharewriter.lease.LeaseEvents;
import org.prismpool.sharewriter.lease.LeaseHolder;
import org.prismpool.sharewriter.lease.LeaseIdentity;
import org.prismpool.sharewriter.lease.LeaseLoss;
import org.prismpool.sharewriter.lease.LeaseTiming;
import org.prismpool.sharewriter.lease.WriterLease;
import org.prismpool.sharewriter.postgres.PostgresConfig;
import org.prismpool.sharewriter.postgres.PostgresDatabase;

/**
 * A writer in a process of its own: takes the lease, commits shares without end, and prints what was acknowledged.
 *
 * <p>Arguments: database address, writer id, prefix of share ids.
 */
final class WriterProcess {

    private WriterProcess() {}

    /** Defaults, but a transaction that this process forgets while it is stopped ends soon. */
    private static PostgresConfig config(String url) {
        PostgresConfig defaults = PostgresConfig.of(url);
        return new PostgresConfig(
                defaults.target(),
                defaults.readConcurrency(),
                defaults.operationTimeout(),
                defaults.connectTimeout(),
                Duration.ofSeconds(1),
                defaults.keepalives(),
                defaults.rewardWindowCache());
    }

    public static void main(String[] args) throws Exception {
        PrintStream out =
                new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), true, StandardCharsets.UTF_8);
        MonotonicClock clock = MonotonicClock.system();
        PostgresDatabase database = PostgresDatabase.open(config(args[0]), LedgerMetrics.NONE, clock);
        LeaseConfig config = new LeaseConfig(
                LeaseIdentity.generate(args[1], 1, new SecureRandom()),
                Duration.ofSeconds(6),
                Duration.ofMillis(100),
                Duration.ofSeconds(5),
                5,
                LeaseTiming.DEFAULTS);
        LeaseEvents events = new LeaseEvents() {
            @Override
            public void waiting(Optional<LeaseHolder> holder, Duration next, Duration waited) {
                out.println("WAITING");
            }
        };
        WriterLease lease = new WriterLease(database.leaseStore(), config, LeaseLoss.halt(9), events, clock);
        lease.acquire(CancelSignal.never());
        out.println("HELD");
        ShareWriter writer = new ShareWriter(
                database.ledger(lease.fence()).shares(),
                ShareWriterConfig.DEFAULTS,
                ShareWriter.Ports.none(clock),
                clock);
        writer.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            writer.close();
            out.println("RELEASE " + lease.giveBack(Duration.ofSeconds(5)));
        }));
        Semaphore inFlight = new Semaphore(200);
        for (long n = 0; ; n++) {
            inFlight.acquire();
            String id = args[2] + n;
            CompletableFuture<Void> answered = writer.submit(AppendEntry.share(Samples.share(id, 1)))
                    .thenAccept(result -> {
                        if (result instanceof AppendResult.New added) {
                            out.println("ACK " + id + " " + added.shareSeq());
                        }
                        inFlight.release();
                    });
            if (answered.isCompletedExceptionally()) {
                throw new IllegalStateException("an answer is never exceptional");
            }
        }
    }
}
