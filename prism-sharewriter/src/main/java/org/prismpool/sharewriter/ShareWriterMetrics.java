package org.prismpool.sharewriter;

/**
 * Port for the writer's numbers; a library embedder may leave it out. Thread-safe, must not block.
 *
 * <p>Names follow the metric contract: queue depth, append failures, committed and replayed shares, commit times.
 */
public interface ShareWriterMetrics {

    /** Numbers nobody reads. */
    ShareWriterMetrics NONE = new ShareWriterMetrics() {};

    /**
     * Entries that wait for the writer or are being committed.
     *
     * @param depth entries now
     */
    default void queueDepth(int depth) {}

    /**
     * A batch has a definite, durable outcome.
     *
     * @param entries entries of the batch
     * @param fresh new shares among them
     * @param graceCredited new shares credited under the stale grace
     * @param commitNanos time of the transaction, repetitions included
     */
    default void committed(int entries, int fresh, int graceCredited, long commitNanos) {}

    /**
     * Entries that were refused after admission: of a failed batch all, of a conflict the entry alone.
     *
     * @param entries entries
     */
    default void appendFailures(int entries) {}

    /**
     * An entry found no queue slot in time.
     */
    default void admissionRefused() {}

    /**
     * A commit whose outcome was unknown is repeated.
     */
    default void commitRepeated() {}
}
