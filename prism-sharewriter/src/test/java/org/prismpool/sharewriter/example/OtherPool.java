package org.prismpool.sharewriter.example;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.AppendResult;
import org.prismpool.sharewriter.LedgerMetrics;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.ShareWriter;
import org.prismpool.sharewriter.ShareWriterConfig;
import org.prismpool.sharewriter.lease.LeaseConfig;
import org.prismpool.sharewriter.lease.LeaseEvents;
import org.prismpool.sharewriter.lease.LeaseIdentity;
import org.prismpool.sharewriter.lease.LeaseLoss;
import org.prismpool.sharewriter.lease.WriterLease;
import org.prismpool.sharewriter.postgres.PostgresConfig;
import org.prismpool.sharewriter.postgres.PostgresDatabase;

/** Another pool that commits its own shares as the only writer of its database. */
final class OtherPool implements AutoCloseable {

    private final PostgresDatabase database;
    private final WriterLease lease;
    private final ShareWriter writer;

    OtherPool(String databaseUrl) {
        MonotonicClock clock = MonotonicClock.system();
        database = PostgresDatabase.open(PostgresConfig.of(databaseUrl), LedgerMetrics.NONE, clock);
        LeaseIdentity identity = LeaseIdentity.generate("other-pool", 1, new SecureRandom());
        lease = new WriterLease(
                database.leaseStore(), LeaseConfig.of(identity), LeaseLoss.halt(1), LeaseEvents.NONE, clock);
        lease.takeGuard(CancelSignal.never()); // waits while another process of this pool lives
        database.migrator().up();
        lease.acquire(CancelSignal.never()); // from here on a heartbeat keeps the lease, or ends the process
        writer = new ShareWriter(
                database.ledger(lease.fence()).shares(),
                ShareWriterConfig.DEFAULTS,
                ShareWriter.Ports.none(clock),
                clock);
        writer.start();
    }

    /** Completes when the share survives a crash; tell the miner then, and not before. */
    CompletableFuture<Boolean> accept(PendingShare share) {
        return writer.submit(AppendEntry.share(share)).thenApply(AppendResult::durable);
    }

    @Override
    public void close() {
        writer.close();
        lease.giveBack(Duration.ofSeconds(5)); // the next writer need not wait for the lease to expire
        database.close();
    }
}
