package org.prismpool.payout.window;

import org.jspecify.annotations.Nullable;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.ObjectShape;
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
 * @param creditPolicy name of the special rule it was credited under, or null for none
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
        @Nullable String creditPolicy) {

    private static final Name SHARE_SEQ = Name.of("share_seq");
    private static final Name SHARE_ID = Name.of("share_id");
    private static final Name MINER_ID = Name.of("miner_id");
    private static final Name ORDER_KEY = Name.of("order_key");
    private static final Name PROGRAM = Name.of("p2mr_program_hex");
    private static final Name SHARE_DIFFICULTY = Name.of("share_difficulty");
    private static final Name NETWORK_DIFFICULTY = Name.of("network_difficulty");
    private static final Name TEMPLATE_HEIGHT = Name.of("template_height");
    private static final Name JOB_ID = Name.of("job_id");
    private static final Name JOB_ISSUED_AT_MS = Name.of("job_issued_at_ms");
    private static final Name ACCEPTED_AT_MS = Name.of("accepted_at_ms");
    private static final Name NTIME = Name.of("ntime");
    private static final Name CREDIT_POLICY = Name.of("credit_policy");
    private static final ObjectShape SHAPE = ObjectShape.required(
                    SHARE_SEQ,
                    SHARE_ID,
                    MINER_ID,
                    ORDER_KEY,
                    PROGRAM,
                    SHARE_DIFFICULTY,
                    NETWORK_DIFFICULTY,
                    TEMPLATE_HEIGHT,
                    JOB_ID,
                    JOB_ISSUED_AT_MS,
                    ACCEPTED_AT_MS,
                    NTIME,
                    CREDIT_POLICY)
            .except(CREDIT_POLICY);

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
        out.beginObject();
        out.member(SHARE_SEQ, shareSeq);
        out.member(SHARE_ID, shareId);
        identity.writeMiner(out);
        out.member(SHARE_DIFFICULTY, shareDifficulty);
        out.member(NETWORK_DIFFICULTY, networkDifficulty);
        out.member(TEMPLATE_HEIGHT, templateHeight);
        out.member(JOB_ID, jobId);
        out.signedMember(JOB_ISSUED_AT_MS, jobIssuedAtMs);
        out.signedMember(ACCEPTED_AT_MS, acceptedAtMs);
        out.member(NTIME, ntime);
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
    public static WindowShare read(ExactReader in, IdentityPool identities) {
        ObjectCursor member = in.object(SHAPE);
        long shareSeq = 0;
        String shareId = "";
        String minerId = "";
        String orderKey = "";
        String program = "";
        U128 shareDifficulty = U128.ZERO;
        U128 networkDifficulty = U128.ZERO;
        long templateHeight = 0;
        String jobId = "";
        long jobIssuedAtMs = 0;
        long acceptedAtMs = 0;
        long ntime = 0;
        String creditPolicy = null;
        while (member.next()) {
            switch (member.name()) {
                case "share_seq" -> shareSeq = in.unsigned64();
                case "share_id" -> shareId = in.text();
                case "miner_id" -> minerId = in.sharedText();
                case "order_key" -> orderKey = in.sharedText();
                case "p2mr_program_hex" -> program = in.sharedText();
                case "share_difficulty" -> shareDifficulty = in.unsigned128();
                case "network_difficulty" -> networkDifficulty = in.unsigned128();
                case "template_height" -> templateHeight = in.unsigned64();
                case "job_id" -> jobId = in.sharedText();
                case "job_issued_at_ms" -> jobIssuedAtMs = in.signed64();
                case "accepted_at_ms" -> acceptedAtMs = in.signed64();
                case "ntime" -> ntime = in.unsigned32();
                default -> creditPolicy = in.orNull(in::sharedText);
            }
        }
        return new WindowShare(
                shareSeq,
                shareId,
                identities.identity(minerId, orderKey, program),
                shareDifficulty,
                networkDifficulty,
                templateHeight,
                jobId,
                jobIssuedAtMs,
                acceptedAtMs,
                ntime,
                creditPolicy);
    }
}
