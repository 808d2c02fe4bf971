package org.prismpool.sharewriter.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.prismpool.sharewriter.contract.Samples.batch;
import static org.prismpool.sharewriter.contract.Samples.share;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.prismpool.lifecycle.event.LifecycleEvents;
import org.prismpool.lifecycle.shutdown.ShutdownConfig;
import org.prismpool.lifecycle.shutdown.ShutdownController;
import org.prismpool.lifecycle.shutdown.WriterComponent;
import org.prismpool.lifecycle.shutdown.WriterTicket;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.LedgerMetrics;
import org.prismpool.sharewriter.TestPostgres;
import org.prismpool.sharewriter.WriterFencedException;
import org.prismpool.sharewriter.lease.ExternalAuthority;
import org.prismpool.sharewriter.lease.LeaseConfig;
import org.prismpool.sharewriter.lease.LeaseEvents;
import org.prismpool.sharewriter.lease.LeaseIdentity;
import org.prismpool.sharewriter.lease.LeaseVerdict;
import org.prismpool.sharewriter.lease.WriterLease;
import org.prismpool.sharewriter.postgres.PostgresConfig;
import org.prismpool.sharewriter.postgres.PostgresDatabase;

/** A holder whose network or writers hang: it ends itself, or ends without giving its lease away. */
@Execution(ExecutionMode.SAME_THREAD)
class LostNetworkIT {

    private final String url = TestPostgres.database();
    private final TcpProxy proxy = TcpProxy.before(url);
    private final MonotonicClock clock = MonotonicClock.system();
    private final PostgresDatabase database =
            PostgresDatabase.open(PostgresConfig.of(proxy.url()), LedgerMetrics.NONE, clock);
    private final CompletableFuture<String> lost = new CompletableFuture<>();
    private final WriterLease lease = new WriterLease(
            database.leaseStore(),
            LeaseConfig.of(LeaseIdentity.generate("w", 1, new SecureRandom())),
            lost::complete,
            LeaseEvents.NONE,
            clock);

    @AfterEach
    void close() {
        proxy.close();
        lease.close();
        database.close();
        TestPostgres.giveBack(url);
    }

    @Test
    void aHolderThatHearsNothingFromTheServerEndsItselfBeforeATwinMayAdopt() {
        lease.acquire(CancelSignal.never());
        assertThat(lease.verifyExternal()).isEqualTo(ExternalAuthority.GRANTED);

        proxy.fallSilent();

        await("the holder ends itself").atMost(Duration.ofSeconds(20)).until(lost::isDone);
        assertThat(lease.verdict()).isEqualTo(LeaseVerdict.LOST);
        assertThat(lease.verifyExternal()).isEqualTo(ExternalAuthority.REFUSED);
        assertThatThrownBy(() -> database.ledger(lease.fence()).shares().append(batch(share("late", 1))))
                .isInstanceOf(WriterFencedException.class);
    }

    @Test
    void aWriterThatDoesNotFinishKeepsTheLeaseFromBeingGivenBack() {
        lease.acquire(CancelSignal.never());
        ShutdownController shutdown = new ShutdownController(
                ShutdownConfig.defaults().withWriterQuiescenceTimeout(Duration.ofMillis(200)),
                lease,
                clock,
                LifecycleEvents.none());
        try (WriterTicket stuck = shutdown.enter(WriterComponent.SHARE_PERSISTENCE)) {
            assertThat(stuck).isNotNull();
            shutdown.request(OptionalInt.of(15));

            assertThat(shutdown.shutdown("serve_exit").withheld()).isTrue();
        }
        assertThat(TestPostgres.ask(
                        url,
                        "SELECT lease_expires_at > clock_timestamp() + interval '40 s' FROM qbit_ledger_writer_lease"))
                .as("the lease is left to its time to live")
                .isEqualTo("t");
    }
}
