package org.prismpool.sharewriter.read;

import org.prismpool.lifecycle.time.Deadline;

/** Asks the server behind public reads whether it is a standby and how fresh. Thread-safe and blocking. */
public interface ReplicaProbe {

    /**
     * Asks the server.
     *
     * @param deadline end of the question
     * @return its answer
     * @throws org.prismpool.sharewriter.LedgerDeadlineException if the deadline passes
     * @throws org.prismpool.sharewriter.LedgerUnavailableException if the server cannot be reached
     */
    ReplicaState probe(Deadline deadline);
}
