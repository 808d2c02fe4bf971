package org.prismpool.sharewriter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;

/**
 * Counts accepted shares and their miners without scanning the ledger (ledger contract §4.5).
 *
 * <p>Thread-safe. The writer adds every new share; {@link #reconcile} sets the numbers right against one snapshot and
 * adds only what became durable after that snapshot, by sequence. One lock, no I/O inside.
 */
public final class AcceptedStats {

    private final MonotonicClock clock;
    private final Object lock = new Object();

    // All guarded by lock.
    private final Set<String> miners = new HashSet<>();
    private long shares;
    private long highestSeq;
    private @Nullable List<Note> buffered; // while a reconcile reads
    private @Nullable Long confirmedAtNanos;

    /**
     * Creates empty counters; call {@link #reconcile} once before serving them.
     *
     * @param clock clock of the confirmation's age
     */
    public AcceptedStats(MonotonicClock clock) {
        this.clock = clock;
    }

    /**
     * Returns the maintained numbers.
     *
     * @return totals
     */
    public ShareTotals totals() {
        synchronized (lock) {
            return new ShareTotals(shares, miners.size(), highestSeq);
        }
    }

    /**
     * Tells how old the last confirmation against the ledger is.
     *
     * @return age, empty before the first
     */
    public Optional<Duration> confirmedAge() {
        synchronized (lock) {
            return Optional.ofNullable(confirmedAtNanos).map(at -> Duration.ofNanos(clock.nanoTime() - at));
        }
    }

    /**
     * Counts a share that became durable as new work.
     *
     * @param shareSeq its sequence
     * @param minerId its miner
     */
    public void added(long shareSeq, String minerId) {
        synchronized (lock) {
            count(shareSeq, minerId);
            if (buffered != null) {
                buffered.add(new Note(shareSeq, minerId));
            }
        }
    }

    /**
     * Confirms the numbers against the ledger; blocks for an aggregate over the history. One call at a time.
     *
     * @param ledger where to count
     * @param deadline end of the read
     * @throws LedgerException if the read fails; the maintained numbers stay
     */
    public void reconcile(ShareLedger ledger, Deadline deadline) {
        synchronized (lock) {
            if (buffered != null) {
                throw new IllegalStateException("a reconcile is under way");
            }
            buffered = new ArrayList<>();
        }
        try {
            ShareTotals snapshot = ledger.totals(deadline);
            Set<String> known = ledger.miners(deadline);
            synchronized (lock) {
                List<Note> since = buffered == null ? List.of() : buffered;
                shares = snapshot.acceptedShares();
                highestSeq = snapshot.highestSeq();
                miners.clear();
                miners.addAll(known);
                for (Note note : since) {
                    if (note.shareSeq > snapshot.highestSeq()) {
                        count(note.shareSeq, note.minerId);
                    }
                }
                confirmedAtNanos = clock.nanoTime();
            }
        } finally {
            synchronized (lock) {
                buffered = null;
            }
        }
    }

    private void count(long shareSeq, String minerId) {
        shares++;
        miners.add(minerId);
        highestSeq = Math.max(highestSeq, shareSeq);
    }

    private record Note(long shareSeq, String minerId) {}
}
