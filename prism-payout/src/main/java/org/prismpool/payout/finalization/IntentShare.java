package org.prismpool.payout.finalization;

import java.util.Objects;
import java.util.Optional;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.window.PayoutIdentity;

/**
 * The share that solved the block, as it is or will be credited.
 *
 * @param shareId login name, a colon and the display hash of the block
 * @param identity who is credited
 * @param shareDifficulty credited difficulty
 * @param networkDifficulty scaled network difficulty of the job
 * @param templateHeight block height minus one
 * @param jobId job that was solved
 * @param jobIssuedAtMs its issue time, milliseconds since the epoch
 * @param acceptedAtMs acceptance time, milliseconds since the epoch
 * @param ntime header time
 * @param creditPolicy why it is credited although late, if so
 */
public record IntentShare(
        String shareId,
        PayoutIdentity identity,
        U128 shareDifficulty,
        U128 networkDifficulty,
        long templateHeight,
        String jobId,
        long jobIssuedAtMs,
        long acceptedAtMs,
        long ntime,
        Optional<String> creditPolicy) {

    /** Checks the components. */
    public IntentShare {
        Objects.requireNonNull(shareId, "shareId");
        Objects.requireNonNull(identity, "identity");
        Objects.requireNonNull(shareDifficulty, "shareDifficulty");
        Objects.requireNonNull(networkDifficulty, "networkDifficulty");
        Objects.requireNonNull(jobId, "jobId");
        Objects.requireNonNull(creditPolicy, "creditPolicy");
    }
}
