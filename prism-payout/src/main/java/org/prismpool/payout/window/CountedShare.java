package org.prismpool.payout.window;

import org.jspecify.annotations.Nullable;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
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
 * @param creditPolicy name of the special rule it was credited under, or null for none
 */
public record CountedShare(
        long shareSeq,
        String shareId,
        PayoutIdentity identity,
        U128 shareDifficulty,
        U128 countedDifficulty,
        long jobIssuedAtMs,
        long acceptedAtMs,
        @Nullable String creditPolicy) {

    private static final Name SHARE_SEQ = Name.of("share_seq");
    private static final Name SHARE_ID = Name.of("share_id");
    private static final Name MINER_ID = Name.of("miner_id");
    private static final Name ORDER_KEY = Name.of("order_key");
    private static final Name PROGRAM = Name.of("p2mr_program_hex");
    private static final Name SHARE_DIFFICULTY = Name.of("share_difficulty");
    private static final Name COUNTED_DIFFICULTY = Name.of("counted_difficulty");
    private static final Name JOB_ISSUED_AT_MS = Name.of("job_issued_at_ms");
    private static final Name ACCEPTED_AT_MS = Name.of("accepted_at_ms");
    private static final Name CREDIT_POLICY = Name.of("credit_policy");
    private static final ObjectShape SHAPE = ObjectShape.required(
                    SHARE_SEQ,
                    SHARE_ID,
                    MINER_ID,
                    ORDER_KEY,
                    PROGRAM,
                    SHARE_DIFFICULTY,
                    COUNTED_DIFFICULTY,
                    JOB_ISSUED_AT_MS,
                    ACCEPTED_AT_MS,
                    CREDIT_POLICY)
            .except(CREDIT_POLICY);

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
        out.beginObject();
        out.member(SHARE_SEQ, shareSeq);
        out.member(SHARE_ID, shareId);
        identity.writeMiner(out);
        out.member(SHARE_DIFFICULTY, shareDifficulty);
        out.member(COUNTED_DIFFICULTY, countedDifficulty);
        out.signedMember(JOB_ISSUED_AT_MS, jobIssuedAtMs);
        out.signedMember(ACCEPTED_AT_MS, acceptedAtMs);
        if (creditPolicy != null) {
            out.member(CREDIT_POLICY, creditPolicy);
        }
        out.endObject();
    }

    /**
     * Reads a share.
     *
     * @param in the reader
     * @param identities gives shares of one miner the same identity object
     * @return the share
     */
    public static CountedShare read(ExactReader in, IdentityPool identities) {
        ObjectCursor member = in.object(SHAPE);
        long shareSeq = 0;
        String shareId = "";
        String minerId = "";
        String orderKey = "";
        String program = "";
        U128 shareDifficulty = U128.ZERO;
        U128 countedDifficulty = U128.ZERO;
        long jobIssuedAtMs = 0;
        long acceptedAtMs = 0;
        String creditPolicy = null;
        while (member.next()) {
            switch (member.name()) {
                case "share_seq" -> shareSeq = in.unsigned64();
                case "share_id" -> shareId = in.text();
                case "miner_id" -> minerId = in.sharedText();
                case "order_key" -> orderKey = in.sharedText();
                case "p2mr_program_hex" -> program = in.sharedText();
                case "share_difficulty" -> shareDifficulty = in.unsigned128();
                case "counted_difficulty" -> countedDifficulty = in.unsigned128();
                case "job_issued_at_ms" -> jobIssuedAtMs = in.signed64();
                case "accepted_at_ms" -> acceptedAtMs = in.signed64();
                default -> creditPolicy = in.orNull(in::sharedText);
            }
        }
        return new CountedShare(
                shareSeq,
                shareId,
                identities.identity(minerId, orderKey, program),
                shareDifficulty,
                countedDifficulty,
                jobIssuedAtMs,
                acceptedAtMs,
                creditPolicy);
    }
}
