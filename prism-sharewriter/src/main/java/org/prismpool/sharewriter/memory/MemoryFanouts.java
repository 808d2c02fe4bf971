package org.prismpool.sharewriter.memory;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.BlockMismatchException;
import org.prismpool.sharewriter.block.PoolBlock;
import org.prismpool.sharewriter.fanout.AttemptStatus;
import org.prismpool.sharewriter.fanout.BroadcastAttempt;
import org.prismpool.sharewriter.fanout.FanoutArtifact;
import org.prismpool.sharewriter.fanout.FanoutRow;
import org.prismpool.sharewriter.fanout.FanoutRows;
import org.prismpool.sharewriter.fanout.FanoutSet;
import org.prismpool.sharewriter.fanout.FanoutStatus;

/** Settlement artifacts in memory. */
final class MemoryFanouts implements FanoutRows {

    private static final int MOST_DUE = 1000;
    private static final Comparator<FanoutRow> ORDER = Comparator.comparingLong(
                    (FanoutRow row) -> row.block().height())
            .thenComparingInt(row -> row.artifact().chunkIndex())
            .thenComparing(row -> row.artifact().fanoutTxid());

    private final MemoryState state;

    MemoryFanouts(MemoryState state) {
        this.state = state;
    }

    @Override
    public int persist(FanoutSet set, Deadline deadline) {
        synchronized (state) {
            String hash = MemoryBlocks.lower(set.blockHash());
            if (!state.blocks.containsKey(hash)) {
                throw new IllegalArgumentException("unknown PRISM block");
            }
            @Nullable FanoutSet existing = state.fanoutSets.putIfAbsent(hash, set);
            if (existing != null && !existing.equals(set)) {
                throw new BlockMismatchException("existing CTV fanout manifest set does not match payload");
            }
            Set<String> expected = new HashSet<>();
            for (FanoutArtifact artifact : set.artifacts()) {
                expected.add(artifact.fanoutTxid());
                state.fanouts.computeIfAbsent(
                        artifact.fanoutTxid(),
                        id -> new MemoryState.Fanout(hash, artifact, state.wallClockMs.getAsLong()));
            }
            return expected.size();
        }
    }

    @Override
    public boolean updateStatus(String fanoutTxid, FanoutStatus expected, FanoutStatus next, Deadline deadline) {
        synchronized (state) {
            MemoryState.@Nullable Fanout row = state.fanouts.get(MemoryBlocks.lower(fanoutTxid));
            if (row == null || expected.terminal() || row.status != expected) {
                return false;
            }
            row.status = next;
            row.updatedAtMs = state.wallClockMs.getAsLong();
            return true;
        }
    }

    @Override
    public FanoutStatus recordAttempt(String fanoutTxid, BroadcastAttempt attempt, int detailLimit, Deadline deadline) {
        synchronized (state) {
            MemoryState.@Nullable Fanout row = state.fanouts.get(MemoryBlocks.lower(fanoutTxid));
            if (row == null) {
                throw new IllegalArgumentException("unknown CTV fanout txid");
            }
            long now = state.wallClockMs.getAsLong();
            MemoryState.Attempt dated = new MemoryState.Attempt(row.attempts + 1, now, attempt);
            row.attempts++;
            row.counts.merge(attempt.status().text(), 1L, Long::sum);
            row.details.add(dated);
            while (row.details.size() > Math.max(0, detailLimit)) {
                row.details.remove(0);
            }
            row.firstAttemptMs = row.firstAttemptMs.isPresent() ? row.firstAttemptMs : OptionalLong.of(now);
            row.last = Optional.of(dated);
            boolean planned = attempt.status() == AttemptStatus.PLANNED;
            row.backoffSeconds = planned ? attempt.backoff().toSeconds() : 0;
            row.nextAttemptMs = planned && !attempt.backoff().isZero()
                    ? OptionalLong.of(now + attempt.backoff().toMillis())
                    : OptionalLong.empty();
            row.status = row.status.after(attempt.status());
            row.updatedAtMs = now;
            return row.status;
        }
    }

    @Override
    public List<FanoutRow> due(int limit, Deadline deadline) {
        synchronized (state) {
            long now = state.wallClockMs.getAsLong();
            return state.fanouts.values().stream()
                    .filter(row -> !row.status.terminal() && row.nextAttemptMs.orElse(now) <= now)
                    .map(this::row)
                    .sorted(ORDER)
                    .limit(Math.max(1, Math.min(MOST_DUE, limit)))
                    .toList();
        }
    }

    /** All without an end, due or not, in order; the caller holds the state. */
    List<FanoutRow> pending() {
        return state.fanouts.values().stream()
                .filter(row -> !row.status.terminal())
                .map(this::row)
                .sorted(ORDER)
                .toList();
    }

    @Override
    public List<String> dueDocuments(int limit, Deadline deadline) {
        synchronized (state) {
            return due(limit, deadline).stream()
                    .map(row -> statusDocument(row.artifact().fanoutTxid(), deadline))
                    .flatMap(Optional::stream)
                    .toList();
        }
    }

    @Override
    public Optional<FanoutRow> find(String fanoutTxid, Deadline deadline) {
        synchronized (state) {
            return Optional.ofNullable(state.fanouts.get(MemoryBlocks.lower(fanoutTxid)))
                    .map(this::row);
        }
    }

    @Override
    public List<FanoutRow> ofBlock(String blockHash, Deadline deadline) {
        synchronized (state) {
            return state.fanouts.values().stream()
                    .filter(row -> row.blockHash.equals(MemoryBlocks.lower(blockHash)))
                    .map(this::row)
                    .sorted(ORDER)
                    .toList();
        }
    }

    private FanoutRow row(MemoryState.Fanout row) {
        FanoutSet set = set(row.blockHash);
        return new FanoutRow(
                block(row.blockHash),
                row.artifact,
                set.manifestSetSha256(),
                set.artifacts().size(),
                set.parentCoinbaseTxid(),
                row.status,
                row.attempts,
                row.nextAttemptMs);
    }

    private PoolBlock block(String hash) {
        return java.util.Objects.requireNonNull(state.blocks.get(hash)).row();
    }

    private FanoutSet set(String hash) {
        return java.util.Objects.requireNonNull(state.fanoutSets.get(hash));
    }

    @Override
    public Optional<String> statusDocument(String fanoutTxid, Deadline deadline) {
        synchronized (state) {
            return Optional.ofNullable(state.fanouts.get(MemoryBlocks.lower(fanoutTxid)))
                    .map(row -> FanoutDocuments.status(row, row(row), bundleSha256(row.blockHash))
                            .toString());
        }
    }

    @Override
    public Optional<String> recoveryDocument(String blockHash, Deadline deadline) {
        String hash = MemoryBlocks.lower(blockHash);
        synchronized (state) {
            @Nullable FanoutSet set = state.fanoutSets.get(hash);
            if (set == null) {
                return Optional.empty();
            }
            ObjectNode document = FanoutDocuments.recovery(block(hash), set, bundleSha256(hash));
            ArrayNode artifacts = new ObjectMapper().createArrayNode();
            List<MemoryState.Fanout> rows = new ArrayList<>(state.fanouts.values());
            rows.removeIf(row -> !row.blockHash.equals(hash));
            rows.sort(Comparator.comparingInt(row -> row.artifact.chunkIndex()));
            rows.forEach(row -> artifacts.add(FanoutDocuments.artifact(row, row(row))));
            document.set("artifacts", artifacts);
            return Optional.of(document.toString());
        }
    }

    private String bundleSha256(String hash) {
        return java.util.Objects.requireNonNull(state.blocks.get(hash)).bundle.sha256();
    }
}
