package org.prismpool.sharewriter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.prismpool.sharewriter.contract.Samples.hash;
import static org.prismpool.sharewriter.contract.Samples.intent;
import static org.prismpool.sharewriter.contract.Samples.share;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.AppendResult.FailureReason;
import org.prismpool.sharewriter.memory.MemoryLedger;

class ShareWriterTest {

    private final ScriptedLedger ledger = new ScriptedLedger();
    private final List<ShareWriter> started = new ArrayList<>();
    private final List<CompletableFuture<AppendResult>> unanswered = new ArrayList<>();

    @AfterEach
    void close() {
        ledger.gate.release(1000);
        started.forEach(writer -> writer.close(Duration.ofSeconds(5)));
        assertThat(unanswered).allMatch(CompletableFuture::isDone);
    }

    private ShareWriter writer(ShareWriterConfig config, ShareWriterEvents events, MonotonicClock clock) {
        ShareWriter writer = new ShareWriter(
                ledger,
                config,
                new ShareWriter.Ports(CommitGate.OPEN, new AcceptedStats(clock), events, ShareWriterMetrics.NONE),
                clock);
        started.add(writer);
        writer.start();
        return writer;
    }

    private static ShareWriterConfig config(int batch, int queue, int waiting) {
        return new ShareWriterConfig(
                batch, batch, Duration.ZERO, Duration.ofSeconds(15), queue, waiting, Duration.ofSeconds(5));
    }

    private static AppendResult get(CompletableFuture<AppendResult> answer) throws Exception {
        return answer.get(10, TimeUnit.SECONDS);
    }

    @Test
    void nothingIsAnsweredBeforeItsCommit() throws Exception {
        ledger.hold();
        ShareWriter writer = writer(config(64, 4096, 10), ShareWriterEvents.NONE, MonotonicClock.system());
        CompletableFuture<AppendResult> answer = writer.submit(AppendEntry.share(share("a", 1)));
        await("commit under way").until(() -> ledger.calls.get() == 1);
        assertThat(answer).isNotDone();

        ledger.gate.release();

        assertThat(get(answer)).isEqualTo(new AppendResult.New(1, Optional.empty()));
    }

    @Test
    void sharesThatArriveDuringACommitShareTheNextOne() throws Exception {
        ledger.hold();
        ShareWriter writer = writer(config(64, 4096, 10), ShareWriterEvents.NONE, MonotonicClock.system());
        List<CompletableFuture<AppendResult>> answers = new ArrayList<>();
        answers.add(writer.submit(AppendEntry.share(share("first", 1))));
        await("commit under way").until(() -> ledger.calls.get() == 1);
        for (int i = 0; i < 1000; i++) {
            answers.add(writer.submit(AppendEntry.share(share("s" + i, 1))));
        }
        ledger.gate.release(1000);

        for (int i = 0; i < answers.size(); i++) {
            assertThat(get(answers.get(i))).isEqualTo(new AppendResult.New(i + 1, Optional.empty()));
        }
        assertThat(ledger.sizes.subList(1, ledger.sizes.size())).hasSize((1000 + 63) / 64);
    }

    @Test
    void aSolveEndsItsBatchAndIsCommittedAloneWhenFirst() throws Exception {
        ledger.hold();
        ShareWriter writer = writer(config(64, 4096, 10), ShareWriterEvents.NONE, MonotonicClock.system());
        unanswered.add(writer.submit(AppendEntry.share(share("first", 1))));
        await("commit under way").until(() -> ledger.calls.get() == 1);
        unanswered.add(writer.submit(AppendEntry.share(share("a", 1))));
        unanswered.add(writer.submit(AppendEntry.solve(share("w:" + hash(0xab), 1), intent(0xab, "x"))));
        CompletableFuture<AppendResult> second =
                writer.submit(AppendEntry.solve(share("w:" + hash(0xac), 1), intent(0xac, "x")));
        CompletableFuture<AppendResult> last = writer.submit(AppendEntry.share(share("b", 1)));
        ledger.gate.release(1000);

        assertThat(get(second)).isEqualTo(new AppendResult.New(4, Optional.of(CandidateState.PENDING)));
        get(last);
        assertThat(ledger.sizes).containsExactly(1, 2, 1, 1);
    }

    @Test
    void aFullQueueRefusesExactlyAfterTheAdmissionTimeoutAndWritesNothing() throws Exception {
        ManualClock clock = new ManualClock();
        ledger.hold();
        ShareWriter writer = writer(config(1, 1, 1), ShareWriterEvents.NONE, clock);
        unanswered.add(writer.submit(AppendEntry.share(share("in-flight", 1))));
        await("commit under way").until(() -> ledger.calls.get() == 1);
        CompletableFuture<AppendResult> waiting = writer.submit(AppendEntry.share(share("waiting", 1)));
        CompletableFuture<AppendResult> noRoom = writer.submit(AppendEntry.share(share("no-room", 1)));

        AppendResult full = new AppendResult.Failed(FailureReason.QUEUE_FULL, "share ledger commit queue is full");
        assertThat(get(noRoom)).isEqualTo(full);
        clock.advance(Duration.ofMillis(14_999));
        assertThat(waiting).isNotDone();
        clock.advance(Duration.ofMillis(1));
        assertThat(get(waiting)).isEqualTo(full);
        ledger.gate.release(10);
        writer.close();
        assertThat(ledger.memory.find("waiting", soon())).isEmpty();
        assertThat(ledger.memory.find("in-flight", soon())).isPresent();
    }

    @Test
    void aWaitingEntryEntersWhenASlotIsFree() throws Exception {
        ledger.hold();
        ShareWriter writer = writer(config(1, 1, 1), ShareWriterEvents.NONE, MonotonicClock.system());
        unanswered.add(writer.submit(AppendEntry.share(share("in-flight", 1))));
        await("commit under way").until(() -> ledger.calls.get() == 1);
        CompletableFuture<AppendResult> waiting = writer.submit(AppendEntry.share(share("waiting", 1)));
        ledger.gate.release(10);

        assertThat(get(waiting)).isEqualTo(new AppendResult.New(2, Optional.empty()));
    }

    @Test
    void anUnknownOutcomeIsResolvedByTheSameBatchAndStillCountsAsNew() throws Exception {
        AtomicInteger degraded = new AtomicInteger();
        ledger.script.add(batch -> {
            ledger.memory.append(batch); // the commit happened, its answer is lost
            throw new LedgerUnavailableException("connection reset");
        });
        AcceptedStats stats = new AcceptedStats(MonotonicClock.system());
        ShareWriter writer = new ShareWriter(
                ledger,
                config(64, 4096, 10),
                new ShareWriter.Ports(
                        CommitGate.OPEN,
                        stats,
                        new ShareWriterEvents() {
                            @Override
                            public void degraded(String reason, int attempt) {
                                degraded.incrementAndGet();
                            }
                        },
                        ShareWriterMetrics.NONE),
                MonotonicClock.system());
        started.add(writer);
        writer.start();

        assertThat(get(writer.submit(AppendEntry.share(share("a", 1)))))
                .isEqualTo(new AppendResult.New(1, Optional.empty()));
        assertThat(degraded).hasValue(1);
        assertThat(ledger.calls).hasValue(2);
        assertThat(stats.totals().acceptedShares()).isEqualTo(1);
        assertThat(get(writer.submit(AppendEntry.share(share("a", 1)))))
                .isEqualTo(new AppendResult.Replayed(1, Optional.empty()));
        assertThat(stats.totals().acceptedShares()).isEqualTo(1);
    }

    @Test
    void aLostLeaseFailsTheBatchAndEverythingAfterIt() throws Exception {
        CompletableFuture<Boolean> fenced = new CompletableFuture<>();
        ledger.script.add(batch -> {
            throw new WriterFencedException("writer lease is not active");
        });
        ShareWriter writer = writer(
                config(64, 4096, 10),
                new ShareWriterEvents() {
                    @Override
                    public void fenced() {
                        fenced.complete(true);
                    }
                },
                MonotonicClock.system());
        AppendResult lost =
                new AppendResult.Failed(FailureReason.FENCED, "share ledger commit failed: writer lease is not active");

        assertThat(get(writer.submit(AppendEntry.share(share("a", 1))))).isEqualTo(lost);
        assertThat(fenced.get(10, TimeUnit.SECONDS)).isTrue();
        await("admission closed")
                .untilAsserted(() -> assertThat(get(writer.submit(AppendEntry.share(share("b", 1)))))
                        .isEqualTo(lost));
        assertThat(ledger.memory.totals(soon()).acceptedShares()).isZero();
    }

    @Test
    void oneEntryThatTheDatabaseRefusesDoesNotTakeItsNeighboursAlong() throws Exception {
        ledger.refuses = "bad";
        ledger.hold();
        ShareWriter writer = writer(config(64, 4096, 10), ShareWriterEvents.NONE, MonotonicClock.system());
        unanswered.add(writer.submit(AppendEntry.share(share("first", 1))));
        await("commit under way").until(() -> ledger.calls.get() == 1);
        List<CompletableFuture<AppendResult>> answers = new ArrayList<>();
        for (String id : List.of("a", "b", "bad", "c", "d")) {
            answers.add(writer.submit(AppendEntry.share(share(id, 1))));
        }
        ledger.gate.release(1000);

        for (int i = 0; i < 5; i++) {
            assertThat(get(answers.get(i)).durable()).isEqualTo(i != 2);
        }
        assertThat(get(answers.get(2)))
                .isEqualTo(new AppendResult.Failed(FailureReason.COMMIT_FAILED, "share ledger commit failed: refused"));
    }

    @Test
    void closeCommitsWhatIsAdmittedAndRefusesWhatComesLater() throws Exception {
        ShareWriter writer = writer(config(2, 4096, 10), ShareWriterEvents.NONE, MonotonicClock.system());
        List<CompletableFuture<AppendResult>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            answers.add(writer.submit(AppendEntry.share(share("s" + i, 1))));
        }
        assertThat(writer.close(Duration.ofSeconds(10))).isTrue();

        for (CompletableFuture<AppendResult> answer : answers) {
            assertThat(get(answer).durable()).isTrue();
        }
        assertThat(get(writer.submit(AppendEntry.share(share("late", 1)))))
                .isEqualTo(new AppendResult.Failed(FailureReason.CLOSED, "share writer is closed"));
    }

    @Test
    void closeDuringAnOutageAnswersEveryone() throws Exception {
        for (int i = 0; i < 100; i++) {
            ledger.script.add(batch -> {
                throw new LedgerUnavailableException("connection refused");
            });
        }
        ShareWriter writer = writer(config(1, 4096, 10), ShareWriterEvents.NONE, MonotonicClock.system());
        CompletableFuture<AppendResult> first = writer.submit(AppendEntry.share(share("a", 1)));
        CompletableFuture<AppendResult> second = writer.submit(AppendEntry.share(share("b", 1)));

        assertThat(writer.close(Duration.ofMillis(100))).isFalse();

        assertThat(get(first))
                .isEqualTo(new AppendResult.Failed(
                        FailureReason.COMMIT_FAILED, "share ledger commit failed: connection refused"));
        assertThat(get(second).durable()).isFalse();
    }

    @Test
    void theGateSeesEveryBatchBeforeAndTheNewSharesAfterTheCommitButBeforeTheAnswer() throws Exception {
        List<String> steps = Collections.synchronizedList(new ArrayList<>());
        CommitGate gate = shares -> {
            steps.add("enter " + shares.size());
            return new CommitGate.Passage() {
                @Override
                public void committed(List<PendingShare> fresh) {
                    steps.add("committed " + fresh.size());
                }

                @Override
                public void close() {
                    steps.add("close");
                }
            };
        };
        ShareWriter writer = new ShareWriter(
                ledger,
                config(64, 4096, 10),
                new ShareWriter.Ports(
                        gate,
                        new AcceptedStats(MonotonicClock.system()),
                        ShareWriterEvents.NONE,
                        ShareWriterMetrics.NONE),
                MonotonicClock.system());
        started.add(writer);
        writer.start();

        writer.submit(AppendEntry.share(share("a", 1)))
                .thenRun(() -> steps.add("answer"))
                .get(10, TimeUnit.SECONDS);
        get(writer.submit(AppendEntry.share(share("a", 1))));

        assertThat(steps).containsExactly("enter 1", "committed 1", "close", "answer", "enter 1", "close");
    }

    @Test
    void aHoldIsReleasedWithTheAnswer() throws Exception {
        AnchorFloor floor = new AnchorFloor(() -> 1_700_000_010_000L, MonotonicClock.system());
        AnchorFloor.Hold hold = floor.hold();
        ShareWriter writer = writer(config(64, 4096, 10), ShareWriterEvents.NONE, MonotonicClock.system());
        ledger.hold();
        CompletableFuture<AppendResult> answer = writer.submit(AppendEntry.share(share("a", 1)), hold);
        assertThat(floor.anchor(1_700_000_020_000L)).isEqualTo(1_700_000_009_999L);
        ledger.gate.release(1);
        get(answer);
        assertThat(floor.anchor(1_700_000_020_000L)).isEqualTo(1_700_000_019_999L);
    }

    private static Deadline soon() {
        return org.prismpool.sharewriter.contract.Samples.soon();
    }

    /** A memory ledger whose appends can be held, scripted and counted. */
    private static final class ScriptedLedger implements ShareLedger {
        final ShareLedger memory = new MemoryLedger(System::currentTimeMillis).shares();
        final Queue<java.util.function.Function<List<AppendEntry>, List<AppendResult>>> script =
                new ConcurrentLinkedQueue<>(new ArrayDeque<>());
        final Semaphore gate = new Semaphore(1_000_000);
        final AtomicInteger calls = new AtomicInteger();
        final List<Integer> sizes = Collections.synchronizedList(new ArrayList<>());
        volatile String refuses = "";

        void hold() {
            gate.drainPermits();
        }

        @Override
        public List<AppendResult> append(List<AppendEntry> batch) {
            calls.incrementAndGet();
            sizes.add(batch.size());
            gate.acquireUninterruptibly();
            if (batch.stream().anyMatch(entry -> entry.share().shareId().equals(refuses))) {
                throw new LedgerRefusedException("refused", true, new IllegalStateException());
            }
            var scripted = script.poll();
            return scripted == null ? memory.append(batch) : scripted.apply(batch);
        }

        @Override
        public ShareTotals totals(Deadline deadline) {
            return memory.totals(deadline);
        }

        @Override
        public Set<String> miners(Deadline deadline) {
            return memory.miners(deadline);
        }

        @Override
        public Optional<StoredShare> find(String shareId, Deadline deadline) {
            return memory.find(shareId, deadline);
        }
    }
}
