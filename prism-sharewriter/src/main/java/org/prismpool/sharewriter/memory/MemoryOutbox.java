package org.prismpool.sharewriter.memory;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.BlockMismatchException;
import org.prismpool.sharewriter.CandidateState;
import org.prismpool.sharewriter.OutboxIntent;
import org.prismpool.sharewriter.block.CandidateInsert;
import org.prismpool.sharewriter.block.CandidateOutboxRows;
import org.prismpool.sharewriter.block.CandidateRow;
import org.prismpool.sharewriter.block.OutboxGauges;
import org.prismpool.sharewriter.block.OutboxPosition;

/** Block candidates in memory. */
final class MemoryOutbox implements CandidateOutboxRows {

    private static final Comparator<OutboxPosition> ORDER =
            Comparator.comparingLong(OutboxPosition::createdAtMicros).thenComparing(OutboxPosition::blockHash);

    private final MemoryState state;

    MemoryOutbox(MemoryState state) {
        this.state = state;
    }

    @Override
    public CandidateInsert insert(OutboxIntent intent, Deadline deadline) {
        synchronized (state) {
            MemoryState.@Nullable Candidate row = state.candidates.get(intent.blockHash());
            if (row == null) {
                state.candidates.put(
                        intent.blockHash(),
                        new MemoryState.Candidate(state.candidateMicros(), intent.sha256(), intent.intentJson()));
                return new CandidateInsert(true, CandidateState.PENDING);
            }
            if (!row.sha256.equals(intent.sha256())) {
                throw new BlockMismatchException("block candidate payload mismatch");
            }
            return new CandidateInsert(false, row.state);
        }
    }

    @Override
    public boolean attempted(String blockHash, Deadline deadline) {
        synchronized (state) {
            MemoryState.@Nullable Candidate row = state.candidates.get(MemoryBlocks.lower(blockHash));
            if (row == null || row.state.terminal()) {
                return false;
            }
            row.attempts++;
            return true;
        }
    }

    @Override
    public boolean finish(String blockHash, CandidateState terminal, String error, Deadline deadline) {
        if (!terminal.terminal()) {
            throw new IllegalArgumentException("a candidate finishes as submitted or abandoned");
        }
        synchronized (state) {
            return finish(MemoryBlocks.lower(blockHash), terminal, error);
        }
    }

    private boolean finish(String hash, CandidateState terminal, String error) {
        MemoryState.@Nullable Candidate row = state.candidates.get(hash);
        if (row == null || row.state.terminal()) {
            return false;
        }
        row.state = terminal;
        row.lastError = error.isEmpty() ? null : error;
        row.intent = null;
        return true;
    }

    @Override
    public Set<String> abandonSuperseded(Collection<String> blockHashes, String error, Deadline deadline) {
        Set<String> abandoned = new HashSet<>();
        synchronized (state) {
            for (String given : blockHashes) {
                String hash = MemoryBlocks.lower(given);
                if (!state.blocks.containsKey(hash) && finish(hash, CandidateState.ABANDONED, error)) {
                    abandoned.add(hash);
                }
            }
        }
        return abandoned;
    }

    @Override
    public List<CandidateRow> pending(OutboxPosition after, int limit, Deadline deadline) {
        synchronized (state) {
            return state.candidates.entrySet().stream()
                    .filter(entry -> entry.getValue().state == CandidateState.PENDING)
                    .map(this::row)
                    .filter(row -> ORDER.compare(row.position(), after) > 0)
                    .sorted(Comparator.comparing(CandidateRow::position, ORDER))
                    .limit(limit)
                    .toList();
        }
    }

    @Override
    public Optional<CandidateRow> find(String blockHash, Deadline deadline) {
        String hash = MemoryBlocks.lower(blockHash);
        synchronized (state) {
            return Optional.ofNullable(state.candidates.get(hash)).map(row -> row(Map.entry(hash, row)));
        }
    }

    private CandidateRow row(Map.Entry<String, MemoryState.Candidate> entry) {
        MemoryState.Candidate row = entry.getValue();
        return new CandidateRow(
                new OutboxPosition(row.createdAtMicros, entry.getKey()),
                Optional.ofNullable(row.shareId),
                Optional.ofNullable(row.intent),
                row.sha256,
                row.state,
                row.attempts,
                Optional.ofNullable(row.lastError),
                Optional.ofNullable(state.blocks.get(entry.getKey())).map(block -> block.chain));
    }

    @Override
    public OutboxGauges gauges(Set<String> parked, Deadline deadline) {
        synchronized (state) {
            long pending = state.candidates.entrySet().stream()
                    .filter(entry -> counted(entry, parked))
                    .count();
            long now = state.wallClockMs.getAsLong() * 1000; // one moment, or the ages contradict each other
            return new OutboxGauges(
                    pending, oldest(now, parked, row -> true), oldest(now, parked, row -> row.attempts == 0));
        }
    }

    private Optional<Duration> oldest(long now, Set<String> parked, Predicate<MemoryState.Candidate> which) {
        return state.candidates.entrySet().stream()
                .filter(entry -> counted(entry, parked) && which.test(entry.getValue()))
                .map(entry -> entry.getValue().createdAtMicros)
                .min(Comparator.naturalOrder())
                .map(created -> Duration.ofNanos(Math.max(0, now - created) * 1000));
    }

    private static boolean counted(Map.Entry<String, MemoryState.Candidate> entry, Set<String> parked) {
        return entry.getValue().state == CandidateState.PENDING && !parked.contains(entry.getKey());
    }
}
