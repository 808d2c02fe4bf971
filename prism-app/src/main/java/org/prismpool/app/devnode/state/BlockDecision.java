package org.prismpool.app.devnode.state;

import java.util.Arrays;

/** What an operator can decide about a block against the rules. */
public enum BlockDecision {
    /** The block and everything after it count as failed. */
    INVALIDATE(0),
    /** Failures of the block, of its ancestors and of its descendants are forgotten. */
    RECONSIDER(1),
    /** The block wins against others of equal work. */
    PREFER(2);

    private final int code;

    BlockDecision(int code) {
        this.code = code;
    }

    /** Returns the number that stands for the decision on disk. */
    int code() {
        return code;
    }

    static BlockDecision ofCode(int code) {
        return Arrays.stream(values())
                .filter(decision -> decision.code == code)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("unknown decision in the block log"));
    }
}
