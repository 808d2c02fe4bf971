package org.prismpool.sharewriter.postgres;

import java.time.Duration;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.Ledger;
import org.prismpool.sharewriter.LedgerMetrics;
import org.prismpool.sharewriter.TestPostgres;
import org.prismpool.sharewriter.lease.LeaseIdentity;
import org.prismpool.sharewriter.lease.WriterFence;

/** A database of its own with a claimed lease row, but without heartbeat. */
public final class TestLedger implements AutoCloseable {

    public static final LeaseIdentity IDENTITY = new LeaseIdentity("writer-a", 1, "heartbeat-v1:test");

    private final String url;
    private final PostgresDatabase database;
    private final WriterFence fence = new WriterFence(IDENTITY, Duration.ofSeconds(60));
    private final Ledger ledger;

    private TestLedger(String url) {
        this.url = url;
        this.database = PostgresDatabase.open(PostgresConfig.of(url), LedgerMetrics.NONE, MonotonicClock.system());
        database.leaseStore().claim(IDENTITY, Duration.ofSeconds(60), Duration.ofSeconds(5));
        this.ledger = database.ledger(fence);
    }

    public static TestLedger open() {
        return new TestLedger(TestPostgres.database());
    }

    public static TestLedger open(String url) {
        return new TestLedger(url);
    }

    public Ledger ledger() {
        return ledger;
    }

    public PostgresDatabase database() {
        return database;
    }

    public WriterFence fence() {
        return fence;
    }

    public String url() {
        return url;
    }

    @Override
    public void close() {
        database.close();
        TestPostgres.giveBack(url);
    }
}
