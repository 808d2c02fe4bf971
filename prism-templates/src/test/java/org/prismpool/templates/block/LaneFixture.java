package org.prismpool.templates.block;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.templates.FakeNode;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.rpc.NodeRpc;

/** A lane over in-memory ports, with a clock moved by hand and a journal of everything that happened. */
final class LaneFixture implements AutoCloseable {

    final ManualClock clock = new ManualClock();
    final FakeNode node = new FakeNode();
    final List<String> journal = new CopyOnWriteArrayList<>();
    final List<OfferedCandidate> accounted = new CopyOnWriteArrayList<>();
    final Map<String, OutboxRow> rows = new LinkedHashMap<>(); // guarded by this map
    final Map<Hash256, BlockCandidate> spooled = new ConcurrentHashMap<>();
    final Counters counters = new Counters();
    final AtomicInteger heartbeats = new AtomicInteger();
    volatile Optional<Hash256> detected = Optional.of(Candidates.PARENT);
    volatile Optional<Hash256> published = Optional.of(Candidates.PARENT);
    volatile boolean leaseLost;
    volatile boolean databaseDown;
    volatile boolean diskFull;
    volatile Function<OfferedCandidate, Optional<AccountingResult>> accounting = candidate -> Optional.empty();
    final CandidateLane lane;

    LaneFixture() {
        this(LaneConfig.DEFAULTS.withMaxBlocks(1000, true), List.of());
    }

    LaneFixture(LaneConfig config, List<NodeRpc> furtherNodes) {
        lane = lane(config, node, furtherNodes, clock);
    }

    /** A lane over a real node client and in real time. */
    LaneFixture(NodeRpc realNode, List<NodeRpc> furtherNodes) {
        lane = lane(LaneConfig.DEFAULTS.withMaxBlocks(1000, true), realNode, furtherNodes, MonotonicClock.system());
    }

    private CandidateLane lane(
            LaneConfig config, NodeRpc primary, List<NodeRpc> furtherNodes, MonotonicClock laneClock) {
        LaneConfig quick = new LaneConfig(
                config.submitTimeout(),
                config.outboxTimeout(),
                config.observedTipWindow(),
                config.maxBlocks(),
                config.stopAfterBlock(),
                config.stuckLimit(),
                config.retryFirst(),
                config.retryLongest(),
                Duration.ofMillis(20));
        CandidatePorts ports = new CandidatePorts(
                primary,
                furtherNodes,
                this::account,
                new Outbox(),
                new Spool(),
                new Barrier(),
                new View(),
                new Alarms(),
                counters);
        return new CandidateLane(quick, ports, laneClock);
    }

    LaneFixture start() {
        lane.start();
        return this;
    }

    private void account(OfferedCandidate candidate) {
        journal.add("account " + candidate.outcome().getClass().getSimpleName());
        accounted.add(candidate);
        accounting
                .apply(candidate)
                .ifPresent(result -> lane.settle(candidate.candidate().hash(), result));
    }

    OfferedCandidate awaitAccounted(int count) {
        await("hand-over " + count).until(() -> accounted.size() >= count);
        return accounted.get(count - 1);
    }

    void advance(Duration step) {
        clock.advance(step);
        lane.wake();
    }

    void row(BlockCandidate candidate, int attempts, boolean evidence) {
        put(new OutboxRow(cursor(candidate.hash().displayHex()), Optional.of(candidate), attempts, evidence));
    }

    void undecodableRow(String hashHex) {
        put(new OutboxRow(cursor(hashHex), Optional.empty(), 0, false));
    }

    private OutboxCursor cursor(String hashHex) {
        synchronized (rows) {
            return new OutboxCursor(Instant.ofEpochSecond(rows.size()), hashHex);
        }
    }

    private void put(OutboxRow row) {
        synchronized (rows) {
            rows.put(row.cursor().hashHex(), row);
        }
    }

    void endRow(Hash256 hash) {
        synchronized (rows) {
            rows.remove(hash.displayHex());
        }
    }

    Deadline deadline() {
        return Deadline.after(Duration.ofSeconds(30), clock, "test");
    }

    @Override
    public void close() {
        lane.close();
    }

    private void requireDatabase() {
        if (databaseDown) {
            throw new IllegalStateException("database down");
        }
    }

    private final class Outbox implements CandidateOutbox {
        @Override
        public List<OutboxRow> pendingPage(Optional<OutboxCursor> after, int limit, Deadline deadline) {
            requireDatabase();
            synchronized (rows) {
                List<OutboxRow> all = new ArrayList<>(rows.values());
                int start = after.map(cursor ->
                                1 + all.stream().map(OutboxRow::cursor).toList().indexOf(cursor))
                        .orElse(0);
                return List.copyOf(all.subList(start, Math.min(all.size(), start + limit)));
            }
        }

        @Override
        public void attempted(Hash256 hash, Deadline deadline) {
            requireDatabase();
        }

        @Override
        public void submitted(Hash256 hash, Deadline deadline) {
            requireDatabase();
            endRow(hash);
        }

        @Override
        public void abandoned(String hashHex, String message, Deadline deadline) {
            requireDatabase();
            journal.add("abandoned row: " + message);
            synchronized (rows) {
                rows.remove(hashHex);
            }
        }

        @Override
        public Set<String> abandonSuperseded(Collection<String> hashesHex, String message, Deadline deadline) {
            requireDatabase();
            synchronized (rows) {
                hashesHex.forEach(rows::remove);
            }
            journal.add("superseded " + hashesHex.size());
            return Set.copyOf(hashesHex);
        }

        @Override
        public void insertSpooled(BlockCandidate candidate, Deadline deadline) {
            requireDatabase();
            row(candidate, 0, false);
        }
    }

    private final class Spool implements BlockSpool {
        @Override
        public void write(BlockCandidate candidate) throws IOException {
            if (diskFull) {
                journal.add("disk full");
                throw new IOException("no space left");
            }
            spooled.put(candidate.hash(), candidate);
            journal.add("spooled");
        }

        @Override
        public List<BlockCandidate> readAll() {
            return List.copyOf(spooled.values());
        }

        @Override
        public void delete(Hash256 hash) {
            spooled.remove(hash);
        }
    }

    private final class Barrier implements ChildBarrier {
        @Override
        public void arm(Hash256 hash, long height) {
            journal.add("arm");
        }

        @Override
        public void release(Hash256 hash) {
            journal.add("release");
        }
    }

    private final class View implements OfferView {
        @Override
        public Optional<Hash256> detectedTip() {
            return detected;
        }

        @Override
        public Optional<Hash256> publishedTip() {
            return published;
        }

        @Override
        public boolean writerLeaseLost() {
            return leaseLost;
        }
    }

    private final class Alarms implements LaneAlarms {
        @Override
        public void blockLimitReached() {
            journal.add("limit reached");
        }

        @Override
        public void restartRequired(String reason) {
            journal.add("restart required");
        }

        @Override
        public void unpersistedBlocks(int count) {
            journal.add("unpersisted " + count);
        }

        @Override
        public void heartbeat() {
            heartbeats.incrementAndGet();
        }
    }

    /** Counts what the lane reports. */
    static final class Counters implements CandidateMetrics {
        final List<Long> offerNanos = new CopyOnWriteArrayList<>();
        final List<AbandonReason> abandoned = new CopyOnWriteArrayList<>();
        final List<Boolean> further = new CopyOnWriteArrayList<>();
        final List<String> events = new CopyOnWriteArrayList<>();

        @Override
        public void offerAnswered(long nanos) {
            offerNanos.add(nanos);
        }

        @Override
        public void abandoned(AbandonReason reason) {
            abandoned.add(reason);
        }

        @Override
        public void furtherNodeAnswered(boolean mayHaveLanded) {
            further.add(mayHaveLanded);
        }

        @Override
        public void acceptPendingDeferred() {
            events.add("deferred");
        }

        @Override
        public void poisoned() {
            events.add("poisoned");
        }

        @Override
        public void wakeupCoalesced() {
            events.add("coalesced");
        }

        @Override
        public void retried() {
            events.add("retried");
        }
    }
}
