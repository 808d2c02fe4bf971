package org.prismpool.lifecycle.executor;

/** What closing does to the entries that are still queued. */
public enum CloseMode {
    /** Nothing new is admitted; queued and running tasks finish. */
    DRAIN,
    /** Nothing new is admitted; queued tickets are cancelled without starting, running tasks finish. */
    CANCEL_QUEUED
}
