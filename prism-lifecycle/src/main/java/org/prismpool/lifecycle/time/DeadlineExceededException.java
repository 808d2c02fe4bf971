package org.prismpool.lifecycle.time;

/** Signals that a {@link Deadline} passed before the work it bounds was done. */
public final class DeadlineExceededException extends RuntimeException {

    /** Label of the operation. */
    private final String owner;
    /** What was under way. */
    private final String phase;

    /**
     * Creates the signal.
     *
     * @param owner label of the operation that owns the deadline
     * @param phase what was under way when the deadline was checked
     */
    public DeadlineExceededException(String owner, String phase) {
        super("deadline of " + owner + " exceeded in phase " + phase);
        this.owner = owner;
        this.phase = phase;
    }

    /**
     * Returns the label of the operation that owns the deadline.
     *
     * @return the owner label given to the deadline
     */
    public String owner() {
        return owner;
    }

    /**
     * Returns what was under way when the deadline was checked.
     *
     * @return the phase given to {@link Deadline#check(String)}
     */
    public String phase() {
        return phase;
    }
}
