package org.prismpool.payout.window;

import java.util.Optional;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.U128;

/**
 * One accepted share as the ledger holds it and an audit bundle publishes it (payout specification 8.2).
 *
 * @param shareSeq ledger sequence, unsigned 64 bits; larger is newer
 * @param shareId unique id of the submission, any text
 * @param identity who is paid for it
 * @param shareDifficulty credited difficulty, the weight of the share
 * @param networkDifficulty network difficulty of its job; informative
 * @param templateHeight height of its template's parent, unsigned 64 bits; informative
 * @param jobId id of its job; informative
 * @param jobIssuedAtMs Unix time at which its job was issued, milliseconds
 * @param acceptedAtMs Unix time at which it was accepted, milliseconds
 * @param ntime time in its block header, unsigned 32 bits; informative
 * @param creditPolicy name of the special rule it was credited under; empty for none
 */
public record WindowShare(
        long shareSeq,
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

    private static final Name NETWORK_DIFFICULTY = ShareField.NETWORK_DIFFICULTY.json;
    private static final Name TEMPLATE_HEIGHT = ShareField.TEMPLATE_HEIGHT.json;
    private static final Name JOB_ID = ShareField.JOB_ID.json;
    private static final Name NTIME = ShareField.NTIME.json;
    private static final ShareShape SHAPE = ShareShape.of(
            ShareField.SHARE_SEQ,
            ShareField.SHARE_ID,
            ShareField.MINER_ID,
            ShareField.ORDER_KEY,
            ShareField.PROGRAM,
            ShareField.SHARE_DIFFICULTY,
            ShareField.NETWORK_DIFFICULTY,
            ShareField.TEMPLATE_HEIGHT,
            ShareField.JOB_ID,
            ShareField.JOB_ISSUED_AT_MS,
            ShareField.ACCEPTED_AT_MS,
            ShareField.NTIME,
            ShareField.CREDIT_POLICY);

    /** Checks the range of the header time. */
    public WindowShare {
        if (ntime < 0 || ntime > 0xffff_ffffL) {
            throw new IllegalArgumentException("ntime must fit in 32 bits");
        }
    }

    /**
     * Returns whether the share may count for a block with this anchor: its job was issued and it was accepted no later.
     *
     * @param anchorMs the anchor, Unix milliseconds
     * @return whether it may
     */
    public boolean isEligibleAt(long anchorMs) {
        return jobIssuedAtMs <= anchorMs && acceptedAtMs <= anchorMs;
    }

    /**
     * Writes the share as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        ShareMembers.open(out, shareSeq, shareId, identity, shareDifficulty);
        out.member(NETWORK_DIFFICULTY, networkDifficulty);
        out.member(TEMPLATE_HEIGHT, templateHeight);
        out.member(JOB_ID, jobId);
        ShareMembers.times(out, jobIssuedAtMs, acceptedAtMs);
        out.member(NTIME, ntime);
        ShareMembers.close(out, creditPolicy);
    }

    /**
     * Reads a share.
     *
     * @param in the reader
     * @param identities gives shares of one miner the same identity object
     * @return the share
     */
    public static WindowShare read(ExactReader in, IdentityPool identities) {
        ShareMembers read = ShareMembers.read(in, SHAPE, identities);
        return new WindowShare(
                read.shareSeq,
                read.shareId,
                read.identity(),
                read.shareDifficulty,
                read.networkDifficulty,
                read.templateHeight,
                read.jobId,
                read.jobIssuedAtMs,
                read.acceptedAtMs,
                read.ntime,
                read.creditPolicy);
    }
}
