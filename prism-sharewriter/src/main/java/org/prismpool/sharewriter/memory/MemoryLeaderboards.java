package org.prismpool.sharewriter.memory;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.StoredShare;
import org.prismpool.sharewriter.internal.Boards;
import org.prismpool.sharewriter.internal.Boards.Contender;
import org.prismpool.sharewriter.internal.Pages;
import org.prismpool.sharewriter.read.Leaderboards;
import org.prismpool.sharewriter.read.PageRequest;
import org.prismpool.sharewriter.read.RateWindow;

/** Miners by their work, over the state in memory. */
final class MemoryLeaderboards implements Leaderboards {

    private static final Comparator<Contender> ORDER = Comparator.comparing(
                    (Contender contender) -> contender.work().difficulty())
            .reversed()
            .thenComparing(Contender::recipientId);

    private final MemoryState state;
    private final MemoryFoundBlocks blocks;

    MemoryLeaderboards(MemoryState state, MemoryFoundBlocks blocks) {
        this.state = state;
        this.blocks = blocks;
    }

    @Override
    public RecentBoard recent(String search, PageRequest page, Deadline deadline) {
        synchronized (state) {
            long endedAt = state.wallClockMs.getAsLong();
            Map<String, Contender> byMiner = new HashMap<>();
            for (StoredShare row : state.shares) {
                PendingShare share = row.share();
                if (MemoryPoolStatistics.within(share, endedAt, RateWindow.H3)
                        && Pages.matches(share.minerId(), search)) {
                    byMiner.merge(share.minerId(), contender(share), MemoryLeaderboards::both);
                }
            }
            List<Contender> ordered = new ArrayList<>(byMiner.values());
            ordered.sort(ORDER);
            return Boards.recent(ordered, blocks.found(), Instant.ofEpochMilli(endedAt), page);
        }
    }

    private static Contender contender(PendingShare share) {
        return new Contender(
                share.minerId(), MemoryPoolStatistics.one(share), Instant.ofEpochMilli(share.acceptedAtMs()));
    }

    private static Contender both(Contender a, Contender b) {
        return new Contender(
                a.recipientId(),
                MemoryPoolStatistics.add(a.work(), b.work()),
                a.lastShareAt().isAfter(b.lastShareAt()) ? a.lastShareAt() : b.lastShareAt());
    }

    @Override
    public Map<String, Long> blocksFound(Deadline deadline) {
        synchronized (state) {
            return blocks.found();
        }
    }
}
