package org.prismpool.delivery;

import java.util.Objects;

/**
 * A job that a submit names, with where it was found.
 *
 * @param job the frozen context
 * @param source where it was found
 * @param sameTip true iff its parent is the published tip, or nothing is published
 * @param graceOpen true iff the stale grace credits it: its parent is exactly the published tip's parent and the window
 *     of its connection is open (spec 02 §7.4)
 * @param <J> the job context's type
 */
public record FoundJob<J>(IssuedJob<J> job, Source source, boolean sameTip, boolean graceOpen) {

    /** Checks the components. */
    public FoundJob {
        Objects.requireNonNull(job, "job");
        Objects.requireNonNull(source, "source");
    }

    /** Where a job was found. */
    public enum Source {
        /** Among the connection's active jobs. */
        ACTIVE,
        /** Among the connection's retained jobs. */
        RETAINED,
        /** Among the retained jobs of a closed connection of the same worker. */
        CROSS_CONNECTION
    }
}
