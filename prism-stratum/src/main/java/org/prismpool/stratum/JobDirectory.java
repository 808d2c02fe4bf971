package org.prismpool.stratum;

import java.util.Optional;

/**
 * Port to the jobs that may still be submitted (spec 02 §7.5). Called on event loops: constant time, never blocks.
 */
@FunctionalInterface
public interface JobDirectory {

    /**
     * Finds a job for a submit.
     *
     * @param connectionId connection that submits
     * @param username the session's authorized username
     * @param jobId job id as sent
     * @return the job if it is active on the connection, retained for it, or left behind by a closed connection of the
     *     same username on the same tip; otherwise empty
     */
    Optional<FoundJob> find(long connectionId, String username, String jobId);
}
