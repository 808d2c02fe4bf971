package org.prismpool.stratum.vardiff;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers the last delivered difficulty of each (listener, username) for a bounded time, so that a reconnect resumes
 * near it (spec 02 §8.7). In memory only, last writer wins.
 *
 * <p>Thread-safe: one private lock, held only for map operations.
 */
public final class DifficultyMemory {

    private record Key(String listener, String username) {}

    private record Entry(BigDecimal difficulty, long stampedNanos) {}

    private final ResumePolicy policy;
    private final LinkedHashMap<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true); // guarded by itself

    /**
     * Creates an empty memory.
     *
     * @param policy its bounds
     */
    public DifficultyMemory(ResumePolicy policy) {
        this.policy = policy;
    }

    /**
     * Remembers a difficulty.
     *
     * @param listener name of the listener
     * @param username full username
     * @param difficulty delivered difficulty; ignored unless above 0
     * @param shareBacked whether shares were accepted at it; only then does an unchanged value become young again
     * @param nowNanos monotonic time now
     */
    public void record(String listener, String username, BigDecimal difficulty, boolean shareBacked, long nowNanos) {
        if (!policy.active() || difficulty.signum() <= 0) {
            return;
        }
        Key key = new Key(listener, username);
        synchronized (entries) {
            Entry known = entries.get(key);
            boolean same = known != null && known.difficulty().compareTo(difficulty) == 0;
            if (!same || shareBacked) {
                entries.put(key, new Entry(difficulty, nowNanos));
            }
            if (entries.size() > policy.maxEntries()) {
                Map.Entry<Key, Entry> oldest = entries.entrySet().iterator().next();
                entries.remove(oldest.getKey());
            }
        }
    }

    /**
     * Looks a difficulty up for the first authorize of a connection.
     *
     * @param listener name of the listener
     * @param username full username
     * @param range the listener's range
     * @param nowNanos monotonic time now
     * @return what to adopt and why
     */
    public Recall recall(String listener, String username, DifficultyRange range, long nowNanos) {
        if (!policy.active()) {
            return Recall.nothing(ResumeOutcome.DISABLED);
        }
        Key key = new Key(listener, username);
        BigDecimal kept;
        synchronized (entries) {
            Entry entry = entries.get(key);
            if (entry == null) {
                return Recall.nothing(ResumeOutcome.MISS);
            }
            if (nowNanos - entry.stampedNanos() > policy.timeToLive().toNanos()) {
                entries.remove(key);
                return Recall.nothing(ResumeOutcome.EXPIRED);
            }
            kept = entry.difficulty();
        }
        BigDecimal cap =
                range.start().multiply(policy.maxStartFactor()).min(range.max()).max(range.min());
        BigDecimal adopted = DifficultyRange.clamp(kept, range.min(), cap);
        return Recall.of(adopted, adopted.compareTo(kept) == 0 ? ResumeOutcome.RESUMED : ResumeOutcome.CLAMPED);
    }

    /**
     * Returns how many names are remembered.
     *
     * @return zero or more, at most the policy's bound
     */
    public int size() {
        synchronized (entries) {
            return entries.size();
        }
    }
}
