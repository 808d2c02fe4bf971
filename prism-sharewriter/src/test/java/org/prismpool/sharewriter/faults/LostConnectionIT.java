package org.prismpool.sharewriter.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.prismpool.sharewriter.contract.Samples.hash;
import static org.prismpool.sharewriter.contract.Samples.intent;
import static org.prismpool.sharewriter.contract.Samples.share;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.AppendResult;
import org.prismpool.sharewriter.CandidateState;
import org.prismpool.sharewriter.LedgerMetrics;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.ShareWriter;
import org.prismpool.sharewriter.ShareWriterConfig;
import org.prismpool.sharewriter.TestPostgres;
import org.prismpool.sharewriter.lease.WriterFence;
import org.prismpool.sharewriter.postgres.PostgresConfig;
import org.prismpool.sharewriter.postgres.PostgresDatabase;
import org.prismpool.sharewriter.postgres.TestLedger;

/** The connection is cut at every request of an append: each share is there once, and its submitter knows. */
class LostConnectionIT {

    private final TestLedger direct = TestLedger.open();
    private TcpProxy proxy;
    private PostgresDatabase database;
    private ShareWriter writer;

    @BeforeEach
    void open() {
        proxy = TcpProxy.before(direct.url());
        database = PostgresDatabase.open(PostgresConfig.of(proxy.url()), LedgerMetrics.NONE, MonotonicClock.system());
        writer = new ShareWriter(
                database.ledger(new WriterFence(TestLedger.IDENTITY, Duration.ofSeconds(60)))
                        .shares(),
                ShareWriterConfig.DEFAULTS,
                ShareWriter.Ports.none(MonotonicClock.system()),
                MonotonicClock.system());
        writer.start();
    }

    @AfterEach
    void close() {
        proxy.refuse(false);
        writer.close();
        database.close();
        proxy.close();
        direct.close();
    }

    private AppendResult submit(AppendEntry entry) throws Exception {
        return writer.submit(entry).get(20, TimeUnit.SECONDS);
    }

    private String ask(String sql) {
        return TestPostgres.ask(direct.url(), sql);
    }

    @ParameterizedTest
    @CsvSource({
        "1,BEFORE_SEND", "1,AFTER_ANSWER", "2,BEFORE_SEND", "2,AFTER_ANSWER", "3,BEFORE_SEND", "3,AFTER_ANSWER",
        "4,BEFORE_SEND", "4,AFTER_ANSWER", "5,BEFORE_SEND", "5,AFTER_ANSWER", "6,BEFORE_SEND", "6,AFTER_ANSWER",
        "7,BEFORE_SEND", "7,AFTER_ANSWER"
    })
    void aCutAnywhereInASolvesAppendLosesAndDoublesNothing(int request, TcpProxy.Cut cut) throws Exception {
        assertThat(submit(AppendEntry.share(share("before", 1)))).isEqualTo(new AppendResult.New(1, Optional.empty()));
        proxy.arm(request, cut);

        AppendResult result = submit(AppendEntry.solve(share("w:" + hash(0xab), 1), intent(0xab, "x")));

        // requests: begin, fence, candidate lookup, lookup, rows, candidate insert, commit
        assertThat(proxy.cuts()).isEqualTo(1);
        assertThat(result)
                .isInstanceOfSatisfying(
                        AppendResult.New.class,
                        added -> assertThat(added.candidate()).contains(CandidateState.PENDING));
        assertThat(submit(AppendEntry.share(share("after", 1))).durable()).isTrue();
        assertThat(ask("SELECT count(*) || ' ' || count(DISTINCT share_id) FROM qbit_share_ledger"))
                .isEqualTo("3 3");
        assertThat(ask("SELECT count(*) FROM qbit_block_candidate_outbox WHERE share_id IS NOT NULL"))
                .isEqualTo("1");
        assertThat(ask("SELECT string_agg(share_id, ',' ORDER BY share_seq) FROM qbit_share_ledger"))
                .isEqualTo("before,w:" + hash(0xab) + ",after");
    }

    /**
     * Requests of a batch that asks first: begin and fence with lookup, rows, commit. Of others: begin and all the rest, in
     * one go.
     */
    @ParameterizedTest
    @CsvSource({
        "true,1,BEFORE_SEND",
        "true,1,AFTER_ANSWER",
        "true,2,BEFORE_SEND",
        "true,2,AFTER_ANSWER",
        "true,3,BEFORE_SEND",
        "true,3,AFTER_ANSWER",
        "true,4,BEFORE_SEND",
        "true,4,AFTER_ANSWER",
        "false,1,BEFORE_SEND",
        "false,1,AFTER_ANSWER",
        "false,2,BEFORE_SEND",
        "false,2,AFTER_ANSWER"
    })
    void aCutAnywhereInABatchLeavesEveryShareOnceAndInOrder(boolean asks, int request, TcpProxy.Cut cut)
            throws Exception {
        assertThat(submit(AppendEntry.share(share("before", 1))).durable()).isTrue();
        if (asks) {
            assertThat(submit(AppendEntry.share(share("before", 1)))).isInstanceOf(AppendResult.Replayed.class);
        } else {
            assertThat(requestsOf(share("one-request", 1))).isEqualTo(2);
        }
        proxy.arm(request, cut);

        List<CompletableFuture<AppendResult>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            answers.add(writer.submit(AppendEntry.share(share("s" + i, 1))));
        }

        for (CompletableFuture<AppendResult> answer : answers) {
            assertThat(answer.get(20, TimeUnit.SECONDS)).isInstanceOf(AppendResult.New.class);
        }
        assertThat(proxy.cuts()).isEqualTo(1);
        StringBuilder expected = new StringBuilder(asks ? "before" : "before,one-request");
        for (int i = 0; i < 20; i++) {
            expected.append(",s").append(i);
        }
        assertThat(ask("SELECT string_agg(share_id, ',' ORDER BY share_seq) FROM qbit_share_ledger"))
                .isEqualTo(expected.toString());
    }

    private int requestsOf(PendingShare share) throws Exception {
        proxy.arm(1000, TcpProxy.Cut.BEFORE_SEND);
        assertThat(submit(AppendEntry.share(share))).isInstanceOf(AppendResult.New.class);
        return 1000 - proxy.uncut();
    }

    @Test
    void anOutageHoldsAnswersBackAndEndsWithEveryShareDurableOnce() throws Exception {
        proxy.refuse(true);
        List<CompletableFuture<AppendResult>> answers = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            answers.add(writer.submit(AppendEntry.share(share("s" + i, 1))));
        }
        await("nobody is answered")
                .during(Duration.ofMillis(700))
                .atMost(Duration.ofSeconds(5))
                .until(() -> answers.stream().noneMatch(CompletableFuture::isDone));
        proxy.refuse(false);

        for (CompletableFuture<AppendResult> answer : answers) {
            assertThat(answer.get(20, TimeUnit.SECONDS)).isInstanceOf(AppendResult.New.class);
        }
        assertThat(ask("SELECT count(*) FROM qbit_share_ledger")).isEqualTo("300");
    }
}
