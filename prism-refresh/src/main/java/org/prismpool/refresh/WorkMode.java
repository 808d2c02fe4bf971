package org.prismpool.refresh;

/** The two kinds of work (spec 07 §4.1). */
public enum WorkMode {
    /** One bundle for every connection, paying the reward window. */
    READY,
    /** One bundle per worker, paying the solver, while the pool has too few miners. */
    COLLECTION
}
