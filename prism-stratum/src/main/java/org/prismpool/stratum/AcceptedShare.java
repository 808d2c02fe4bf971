package org.prismpool.stratum;

import java.math.BigInteger;
import java.util.Optional;

/**
 * A share to be written to the ledger (spec 02 §7.8).
 *
 * @param submission the assembled submit
 * @param acceptedAtMillis wall clock at acceptance
 * @param creditPolicy {@code stale-grace} for work of the tip before, otherwise empty
 */
public record AcceptedShare(Submission submission, long acceptedAtMillis, Optional<String> creditPolicy) {

    /** Credit policy of shares for the tip before. */
    public static final String STALE_GRACE = "stale-grace";

    /**
     * Returns the ledger's unique id of the share.
     *
     * @return {@code <username>:<displayed header hash>}
     */
    public String shareId() {
        return worker().username() + ":" + submission.hash().displayHex();
    }

    /**
     * Returns who is credited.
     *
     * @return the worker of the job
     */
    public WorkerIdentity worker() {
        return submission.job().worker();
    }

    /**
     * Returns the miner id, which is also the order key.
     *
     * @return the canonical payout address
     */
    public String minerId() {
        return worker().payoutAddress();
    }

    /**
     * Returns the credited scaled difficulty.
     *
     * @return 1 or more, beyond 64 bits for difficulties above about 4295
     */
    public BigInteger shareDifficulty() {
        return submission.job().difficulty().ledgerWeight();
    }

    /**
     * Returns the scaled network difficulty of the job.
     *
     * @return 1 or more
     */
    public BigInteger networkDifficulty() {
        return submission.job().work().template().scaledNetworkDifficulty();
    }

    /**
     * Returns the height of the job's parent.
     *
     * @return the template's height minus one
     */
    public long templateHeight() {
        return submission.job().work().template().height() - 1L;
    }
}
