package org.prismpool.stratum.vardiff;

import java.math.BigDecimal;
import java.util.Optional;

/**
 * Counts of one connection's current share window (spec 02 §8.2). Confined to the connection's event loop.
 */
public final class VardiffWindow {

    private static final BigDecimal SHORTEST_SECONDS = new BigDecimal("0.001");

    private static final long SHORTEST_NANOS = 1_000_000;

    private long startNanos;
    private long submitted;
    private long accepted;
    private BigDecimal work = BigDecimal.ZERO;
    private Optional<BigDecimal> estimate = Optional.empty();

    /**
     * Opens a window.
     *
     * @param startNanos monotonic time of its start
     */
    public VardiffWindow(long startNanos) {
        this.startNanos = startNanos;
    }

    /** Counts a submit that passed the format checks. */
    public void countSubmitted() {
        submitted++;
    }

    /**
     * Counts an accepted share.
     *
     * @param difficulty advertised difficulty of the share's job
     */
    public void countAccepted(BigDecimal difficulty) {
        accepted++;
        work = work.add(difficulty, VardiffPolicy.MATH);
    }

    /**
     * Tells whether the window has lasted long enough.
     *
     * @param nowNanos monotonic time now
     * @param lengthNanos wanted length; up to a millisecond it is always over
     * @return true if it is over
     */
    public boolean over(long nowNanos, long lengthNanos) {
        return lengthNanos <= SHORTEST_NANOS || nowNanos - startNanos >= lengthNanos;
    }

    /**
     * Returns the window's counts.
     *
     * @return an immutable copy
     */
    public Counts counts() {
        return new Counts(startNanos, submitted, accepted, work);
    }

    /**
     * Starts a new window.
     *
     * @param nowNanos monotonic time of its start
     */
    public void restart(long nowNanos) {
        startNanos = nowNanos;
        submitted = 0;
        accepted = 0;
        work = BigDecimal.ZERO;
    }

    /**
     * Returns to the start of an earlier window without shares, after a step whose job was not delivered.
     *
     * @param earlier counts before the restart
     * @param restartedAtNanos time of that restart; nothing happens if the window was restarted or counted since
     */
    public void restoreIfUntouched(Counts earlier, long restartedAtNanos) {
        if (startNanos == restartedAtNanos && submitted == 0 && accepted == 0) {
            startNanos = earlier.startNanos();
        }
    }

    /**
     * Returns the smoothed estimate of the windows before.
     *
     * @return the estimate, or empty after a window without work
     */
    public Optional<BigDecimal> estimate() {
        return estimate;
    }

    /**
     * Keeps the estimate of a decision.
     *
     * @param newest estimate of the newest decision
     */
    public void keepEstimate(Optional<BigDecimal> newest) {
        estimate = newest;
    }

    /**
     * What a window had counted at one moment.
     *
     * @param startNanos monotonic start of the window
     * @param submitted submits that passed the format checks
     * @param accepted accepted shares
     * @param work sum of the accepted shares' difficulties
     */
    public record Counts(long startNanos, long submitted, long accepted, BigDecimal work) {

        /**
         * Returns the window's age.
         *
         * @param nowNanos monotonic time now
         * @return seconds since the start, at least 0.001
         */
        public BigDecimal elapsedSeconds(long nowNanos) {
            return BigDecimal.valueOf(nowNanos - startNanos, 9).max(SHORTEST_SECONDS);
        }

        /**
         * Tells whether the window saw no submit at all.
         *
         * @return true without accepted and without submitted shares
         */
        public boolean silent() {
            return submitted == 0 && accepted == 0;
        }
    }
}
