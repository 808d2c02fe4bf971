package org.prismpool.sharewriter.memory;

import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.StoredShare;
import org.prismpool.sharewriter.read.AcceptedWork;
import org.prismpool.sharewriter.read.PoolStatistics;
import org.prismpool.sharewriter.read.PoolTotals;
import org.prismpool.sharewriter.read.RateWindow;
import org.prismpool.sharewriter.read.WorkByWindow;

/** Totals of the pool over the state in memory. */
final class MemoryPoolStatistics implements PoolStatistics {

    private final MemoryState state;
    private final MemoryFoundBlocks blocks;

    MemoryPoolStatistics(MemoryState state, MemoryFoundBlocks blocks) {
        this.state = state;
        this.blocks = blocks;
    }

    @Override
    public PoolTotals totals(Deadline deadline) {
        synchronized (state) {
            long asOf = state.wallClockMs.getAsLong();
            Set<String> participants = new HashSet<>();
            for (StoredShare row : state.shares) {
                if (within(row.share(), asOf, RateWindow.H3)) {
                    participants.add(row.share().minerId());
                }
            }
            return new PoolTotals(
                    work(state, asOf, share -> true),
                    participants.size(),
                    blocks.shown().size(),
                    mined(),
                    blocks.latest(deadline));
        }
    }

    private BigInteger mined() {
        BigInteger gross = BigInteger.ZERO;
        for (var row : state.activeCarry()) {
            gross = gross.add(BigInteger.valueOf(row.account().grossSats()));
        }
        return gross;
    }

    /** Both ends belong to a window. */
    static boolean within(PendingShare share, long asOfMs, RateWindow window) {
        return share.acceptedAtMs() <= asOfMs
                && share.acceptedAtMs() >= asOfMs - window.length().toMillis();
    }

    /** Work of some shares over every window; the caller holds the state. */
    static WorkByWindow work(MemoryState state, long asOfMs, Predicate<PendingShare> whose) {
        Map<RateWindow, AcceptedWork> work = new EnumMap<>(RateWindow.class);
        for (StoredShare row : state.shares) {
            for (RateWindow window : RateWindow.values()) {
                if (within(row.share(), asOfMs, window) && whose.test(row.share())) {
                    work.merge(window, one(row.share()), MemoryPoolStatistics::add);
                }
            }
        }
        return new WorkByWindow(Instant.ofEpochMilli(asOfMs), work);
    }

    static AcceptedWork one(PendingShare share) {
        return new AcceptedWork(1, share.shareDifficulty());
    }

    static AcceptedWork add(AcceptedWork a, AcceptedWork b) {
        return new AcceptedWork(a.shares() + b.shares(), a.difficulty().add(b.difficulty()));
    }

    @Override
    public List<SeriesBucket> series(SeriesSubject subject, SeriesRange range, Deadline deadline) {
        TreeMap<Long, AcceptedWork> buckets = new TreeMap<>();
        synchronized (state) {
            long asOf = state.wallClockMs.getAsLong();
            for (StoredShare row : state.shares) {
                PendingShare share = row.share();
                boolean theirs = !(subject instanceof MinerSubject miner)
                        || share.minerId().equals(miner.recipientId());
                boolean inRange = share.acceptedAtMs() <= asOf
                        && !Instant.ofEpochMilli(share.acceptedAtMs()).isBefore(range.from());
                if (theirs && inRange) {
                    long second = Math.floorDiv(share.acceptedAtMs(), 1000L);
                    buckets.merge(
                            Math.floorDiv(second, range.bucketSeconds()) * range.bucketSeconds(),
                            one(share),
                            MemoryPoolStatistics::add);
                }
            }
        }
        List<SeriesBucket> series = new ArrayList<>();
        buckets.forEach((second, work) -> series.add(new SeriesBucket(second, work)));
        return series;
    }
}
