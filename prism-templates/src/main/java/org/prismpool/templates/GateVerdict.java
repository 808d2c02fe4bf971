package org.prismpool.templates;

import java.util.Optional;

/**
 * Answer of one start check.
 *
 * @param refusal why the process must not start, with the variable to look at; empty if the check passed
 */
public record GateVerdict(Optional<String> refusal) {

    /** A check that passed. */
    public static final GateVerdict PASSED = new GateVerdict(Optional.empty());

    /**
     * Creates a refusal.
     *
     * @param reason one line for the operator
     * @return the verdict
     */
    public static GateVerdict refused(String reason) {
        return new GateVerdict(Optional.of(reason));
    }

    /**
     * Tells whether the start may go on.
     *
     * @return true without a refusal
     */
    public boolean passed() {
        return refusal.isEmpty();
    }

    @Override
    public String toString() {
        return refusal.orElse("passed");
    }
}
