package org.prismpool.lifecycle.time;

import java.time.Duration;
import java.util.Objects;

/**
 * A fixed instant on a monotonic clock by which an operation must be over, with the label of its owner.
 *
 * <p>Passed as a parameter through every blocking call of the operation; children take the earlier of their own bound
 * and the parent's. Immutable and thread-safe.
 */
public final class Deadline {

    private static final long UNBOUNDED = Long.MAX_VALUE;

    private final MonotonicClock clock;
    private final String owner;
    private final long startNanos;
    private final long budgetNanos; // UNBOUNDED: never passes

    private Deadline(MonotonicClock clock, String owner, long startNanos, long budgetNanos) {
        this.clock = Objects.requireNonNull(clock, "clock");
        this.owner = Objects.requireNonNull(owner, "owner");
        this.startNanos = startNanos;
        this.budgetNanos = budgetNanos;
    }

    /**
     * Creates a deadline that passes when the budget is used up.
     *
     * @param budget time from now; zero or negative gives a deadline that has already passed
     * @param clock clock that the deadline is read from for its whole life
     * @param owner label of the operation, for messages
     * @return the deadline
     */
    public static Deadline after(Duration budget, MonotonicClock clock, String owner) {
        return new Deadline(clock, owner, clock.nanoTime(), saturatedNanos(budget));
    }

    /**
     * Creates a deadline that never passes, for operations that an outer owner already bounds.
     *
     * @param clock clock for children made with {@link #within(Duration, String)}
     * @param owner label of the operation, for messages
     * @return the deadline
     */
    public static Deadline unbounded(MonotonicClock clock, String owner) {
        return new Deadline(clock, owner, clock.nanoTime(), UNBOUNDED);
    }

    /**
     * Returns a child deadline: the earlier of this one and a budget from now.
     *
     * @param budget the child's own budget, from now
     * @param childOwner label of the child; kept only if the child's own budget is the earlier bound
     * @return the earlier of both
     */
    public Deadline within(Duration budget, String childOwner) {
        return earlier(after(budget, clock, childOwner));
    }

    /**
     * Returns the deadline that passes first.
     *
     * @param other deadline on the same clock
     * @return this one if both pass at the same instant
     */
    public Deadline earlier(Deadline other) {
        return other.remainingNanos() < remainingNanos() ? other : this;
    }

    /**
     * Returns the time left.
     *
     * @return zero once the deadline has passed; about 292 years for an unbounded deadline
     */
    public Duration remaining() {
        return Duration.ofNanos(remainingNanos());
    }

    /**
     * Returns the time left in nanoseconds.
     *
     * @return zero once the deadline has passed, {@link Long#MAX_VALUE} for an unbounded deadline
     */
    public long remainingNanos() {
        if (budgetNanos == UNBOUNDED) {
            return UNBOUNDED;
        }
        return Math.max(0L, budgetNanos - (clock.nanoTime() - startNanos));
    }

    /**
     * Tells whether the deadline has passed.
     *
     * @return true once no time is left
     */
    public boolean expired() {
        return remainingNanos() == 0L;
    }

    /**
     * Throws if the deadline has passed.
     *
     * @param phase what is under way, for the message
     * @throws DeadlineExceededException if no time is left
     */
    public void check(String phase) {
        if (expired()) {
            throw new DeadlineExceededException(owner, phase);
        }
    }

    /**
     * Returns the owner's label.
     *
     * @return the label given at creation
     */
    public String owner() {
        return owner;
    }

    @Override
    public String toString() {
        return "Deadline[" + owner + ", " + (budgetNanos == UNBOUNDED ? "unbounded" : remaining()) + "]";
    }

    private static long saturatedNanos(Duration budget) {
        if (budget.isNegative()) {
            return 0L;
        }
        try {
            return budget.toNanos();
        } catch (ArithmeticException tooLong) {
            return UNBOUNDED;
        }
    }
}
