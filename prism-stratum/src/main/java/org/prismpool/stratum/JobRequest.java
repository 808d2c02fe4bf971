package org.prismpool.stratum;

/**
 * A wish for a job of one session. It is checked again at {@link StratumConnection#stamp}: a request that the session has
 * outgrown gives no job.
 *
 * @param epoch generations of the session when the request was made
 * @param purpose why the job is wanted
 * @param ticket number of the difficulty change that the job carries out, or 0 if it carries out none
 */
public record JobRequest(SessionEpoch epoch, JobPurpose purpose, long ticket) {

    /**
     * Creates a request that carries out no difficulty change of its own.
     *
     * @param epoch generations of the session
     * @param purpose why the job is wanted
     * @return the request
     */
    public static JobRequest of(SessionEpoch epoch, JobPurpose purpose) {
        return new JobRequest(epoch, purpose, 0);
    }
}
