package org.prismpool.stratum;

import java.math.BigDecimal;
import java.util.Optional;

/**
 * An immutable picture of a session, newest at the moment it was taken.
 *
 * @param epoch the generations
 * @param subscribed whether the miner has subscribed
 * @param worker the authorized worker, or empty before the first successful authorize
 * @param desiredDifficulty difficulty wanted for the next job
 * @param hasWork whether a job was ever delivered
 * @param closing whether the connection is closing; no job is to be made for it any more
 */
public record SessionView(
        SessionEpoch epoch,
        boolean subscribed,
        Optional<WorkerIdentity> worker,
        BigDecimal desiredDifficulty,
        boolean hasWork,
        boolean closing) {

    /**
     * Tells whether the session can receive jobs.
     *
     * @return true if subscribed, authorized and not closing
     */
    public boolean eligible() {
        return subscribed && worker.isPresent() && !closing;
    }
}
