package org.prismpool.payout.window;

import java.util.Optional;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.U128;

/**
 * A share as a reward manifest lists it, with the part of its difficulty that the window counts.
 *
 * @param shareSeq ledger sequence, unsigned 64 bits
 * @param shareId unique id of the submission
 * @param identity who is paid for it
 * @param shareDifficulty its whole difficulty
 * @param countedDifficulty the part that counts; smaller only for the oldest share of a full window
 * @param jobIssuedAtMs Unix time at which its job was issued, milliseconds
 * @param acceptedAtMs Unix time at which it was accepted, milliseconds
 * @param creditPolicy name of the special rule it was credited under; empty for none
 */
public record CountedShare(
        long shareSeq,
        String shareId,
        PayoutIdentity identity,
        U128 shareDifficulty,
        U128 countedDifficulty,
        long jobIssuedAtMs,
        long acceptedAtMs,
        Optional<String> creditPolicy) {

    private static final ShareShape SHAPE = ShareShape.of(
            ShareField.SHARE_SEQ,
            ShareField.SHARE_ID,
            ShareField.MINER_ID,
            ShareField.ORDER_KEY,
            ShareField.PROGRAM,
            ShareField.SHARE_DIFFICULTY,
            ShareField.COUNTED_DIFFICULTY,
            ShareField.JOB_ISSUED_AT_MS,
            ShareField.ACCEPTED_AT_MS,
            ShareField.CREDIT_POLICY);

    static CountedShare of(WindowShare share, U128 counted) {
        return new CountedShare(
                share.shareSeq(),
                share.shareId(),
                share.identity(),
                share.shareDifficulty(),
                counted,
                share.jobIssuedAtMs(),
                share.acceptedAtMs(),
                share.creditPolicy());
    }

    /**
     * Writes the share as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        ShareMembers.open(out, shareSeq, shareId, identity, shareDifficulty);
        out.member(ShareMembers.COUNTED_DIFFICULTY, countedDifficulty);
        ShareMembers.times(out, jobIssuedAtMs, acceptedAtMs);
        ShareMembers.close(out, creditPolicy);
    }

    /**
     * Reads a share.
     *
     * @param in the reader
     * @param identities gives shares of one miner the same identity object
     * @return the share
     */
    public static CountedShare read(ExactReader in, IdentityPool identities) {
        ShareMembers read = ShareMembers.read(in, SHAPE, identities);
        return new CountedShare(
                read.shareSeq,
                read.shareId,
                read.identity(),
                read.shareDifficulty,
                read.countedDifficulty,
                read.jobIssuedAtMs,
                read.acceptedAtMs,
                read.creditPolicy);
    }
}
