package org.prismpool.sharewriter;

/** Port for what the writer has to tell its process; called on the writer thread, must not block. */
public interface ShareWriterEvents {

    /** Events nobody listens to. */
    ShareWriterEvents NONE = new ShareWriterEvents() {};

    /** The writer thread is alive: before each wait, each commit and each repetition. */
    default void beat() {}

    /**
     * A commit has no definite outcome yet; the writer repeats it.
     *
     * @param reason what broke
     * @param attempt repetitions so far, from 1
     */
    default void degraded(String reason, int attempt) {}

    /** A commit has a definite outcome again. */
    default void recovered() {}

    /** The writer lease is lost: admission is closed for good and the process should end. */
    default void fenced() {}
}
