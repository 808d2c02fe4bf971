package org.prismpool.sharewriter.memory;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.AppendResult;
import org.prismpool.sharewriter.AppendResult.ConflictKind;
import org.prismpool.sharewriter.CandidateState;
import org.prismpool.sharewriter.OutboxIntent;
import org.prismpool.sharewriter.ShareLedger;
import org.prismpool.sharewriter.ShareTotals;
import org.prismpool.sharewriter.StoredShare;

/** Shares in memory. */
final class MemoryShares implements ShareLedger {

    private final MemoryState state;

    MemoryShares(MemoryState state) {
        this.state = state;
    }

    @Override
    public List<AppendResult> append(List<AppendEntry> batch) {
        synchronized (state) {
            List<AppendResult> results = new ArrayList<>(batch.size());
            for (AppendEntry entry : batch) {
                results.add(append(entry));
            }
            return results;
        }
    }

    private AppendResult append(AppendEntry entry) {
        StoredShare stored = state.sharesById.get(entry.share().shareId());
        if (stored != null && !stored.share().isReplayOf(entry.share())) {
            return new AppendResult.Conflict(ConflictKind.SHARE);
        }
        if (entry.candidate().isPresent()
                && contradicts(entry, entry.candidate().get())) {
            return new AppendResult.Conflict(ConflictKind.CANDIDATE);
        }
        boolean fresh = stored == null;
        if (stored == null) {
            stored = new StoredShare(state.nextShareSeq++, entry.share());
            state.shares.add(stored);
            state.sharesById.put(entry.share().shareId(), stored);
        }
        Optional<CandidateState> candidate =
                entry.candidate().map(intent -> write(entry.share().shareId(), intent));
        return fresh
                ? new AppendResult.New(stored.shareSeq(), candidate)
                : new AppendResult.Replayed(stored.shareSeq(), candidate);
    }

    private boolean contradicts(AppendEntry entry, OutboxIntent intent) {
        String shareId = entry.share().shareId();
        MemoryState.@Nullable Candidate row = state.candidates.get(intent.blockHash());
        if (row != null) {
            boolean sameShare = row.shareId == null || row.shareId.equals(shareId);
            return !sameShare || !row.sha256.equals(intent.sha256());
        }
        return state.candidates.values().stream().anyMatch(other -> shareId.equals(other.shareId));
    }

    private CandidateState write(String shareId, OutboxIntent intent) {
        MemoryState.Candidate row = state.candidates.computeIfAbsent(
                intent.blockHash(),
                hash -> new MemoryState.Candidate(state.candidateMicros(), intent.sha256(), intent.intentJson()));
        row.shareId = shareId;
        return row.state;
    }

    @Override
    public ShareTotals totals(Deadline deadline) {
        synchronized (state) {
            long highest = state.shares.isEmpty()
                    ? 0
                    : state.shares.get(state.shares.size() - 1).shareSeq();
            return new ShareTotals(state.shares.size(), distinct().size(), highest);
        }
    }

    @Override
    public Set<String> miners(Deadline deadline) {
        synchronized (state) {
            return distinct();
        }
    }

    private Set<String> distinct() {
        Set<String> miners = new HashSet<>();
        state.shares.forEach(row -> miners.add(row.share().minerId()));
        return miners;
    }

    @Override
    public Optional<StoredShare> find(String shareId, Deadline deadline) {
        synchronized (state) {
            return Optional.ofNullable(state.sharesById.get(shareId));
        }
    }
}
