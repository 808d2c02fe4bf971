package org.prismpool.payout.window;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.U128;

/**
 * The members of published and counted shares (payout specification 8.2 and 8.6): what both have in common is written in its
 * one order, and all are collected while they are read. For one thread.
 */
final class ShareMembers {

    static final Name SHARE_SEQ = ShareField.SHARE_SEQ.json;
    static final Name SHARE_ID = ShareField.SHARE_ID.json;
    static final Name SHARE_DIFFICULTY = ShareField.SHARE_DIFFICULTY.json;
    static final Name COUNTED_DIFFICULTY = ShareField.COUNTED_DIFFICULTY.json;
    static final Name JOB_ISSUED_AT_MS = ShareField.JOB_ISSUED_AT_MS.json;
    static final Name ACCEPTED_AT_MS = ShareField.ACCEPTED_AT_MS.json;
    static final Name CREDIT_POLICY = ShareField.CREDIT_POLICY.json;

    private static final long MAX_NTIME = 0xffff_ffffL;

    // What an object does not have stays as it is here.
    long shareSeq;
    String shareId = "";
    U128 shareDifficulty = U128.ZERO;
    U128 countedDifficulty = U128.ZERO;
    U128 networkDifficulty = U128.ZERO;
    long templateHeight;
    String jobId = "";
    long jobIssuedAtMs;
    long acceptedAtMs;
    long ntime;
    Optional<String> creditPolicy = Optional.empty();

    private final IdentityPool identities;
    private @Nullable PayoutIdentity identity; // if it was recognised as a whole
    private String minerId = "";
    private String orderKey = "";
    private String program = "";

    private ShareMembers(IdentityPool identities) {
        this.identities = identities;
    }

    /** Opens the object and writes everything up to the difficulty. */
    static void open(CanonicalWriter out, long shareSeq, String shareId, PayoutIdentity identity, U128 difficulty) {
        out.beginObject();
        out.member(SHARE_SEQ, shareSeq);
        out.member(SHARE_ID, shareId);
        identity.writeMiner(out);
        out.member(SHARE_DIFFICULTY, difficulty);
    }

    static void times(CanonicalWriter out, long jobIssuedAtMs, long acceptedAtMs) {
        out.signedMember(JOB_ISSUED_AT_MS, jobIssuedAtMs);
        out.signedMember(ACCEPTED_AT_MS, acceptedAtMs);
    }

    /** Writes the last member, if there is one, and closes the object. */
    static void close(CanonicalWriter out, Optional<String> creditPolicy) {
        if (creditPolicy.isPresent()) {
            out.member(CREDIT_POLICY, creditPolicy.get());
        }
        out.endObject();
    }

    /** Writes a share as a counted share. */
    static void writeCounted(CanonicalWriter out, WindowShare share, U128 counted) {
        open(out, share.shareSeq(), share.shareId(), share.identity(), share.shareDifficulty());
        out.member(COUNTED_DIFFICULTY, counted);
        times(out, share.jobIssuedAtMs(), share.acceptedAtMs());
        close(out, share.creditPolicy());
    }

    /** Reads an object. */
    static ShareMembers read(ExactReader in, ShareShape shape, IdentityPool identities) {
        ShareMembers read = new ShareMembers(identities);
        ObjectCursor member = in.object(shape.members());
        while (member.next()) {
            read.value(shape.field(member.index()), member, in);
        }
        return read;
    }

    /**
     * Reads the value of a member. One place for each type: the virtual machine's compiler copies a scanner to every place
     * that calls it, and with a place for each member a command was read through before its reader was compiled.
     */
    private void value(ShareField field, ObjectCursor member, ExactReader in) {
        switch (field.type) {
            case UNSIGNED -> unsigned(field, in);
            case SIGNED -> {
                long value = in.signed64();
                if (field == ShareField.JOB_ISSUED_AT_MS) {
                    jobIssuedAtMs = value;
                } else {
                    acceptedAtMs = value;
                }
            }
            case WIDE -> wide(field, in.unsigned128());
            case TEXT -> shareId = in.text();
            case SHARED_TEXT -> sharedText(field, member, in);
        }
    }

    private void unsigned(ShareField field, ExactReader in) {
        long value = in.unsigned64();
        if (field == ShareField.SHARE_SEQ) {
            shareSeq = value;
        } else if (field == ShareField.TEMPLATE_HEIGHT) {
            templateHeight = value;
        } else {
            if (value < 0 || value > MAX_NTIME) {
                throw in.error("number out of range");
            }
            ntime = value;
        }
    }

    private void wide(ShareField field, U128 value) {
        if (field == ShareField.SHARE_DIFFICULTY) {
            shareDifficulty = value;
        } else if (field == ShareField.COUNTED_DIFFICULTY) {
            countedDifficulty = value;
        } else {
            networkDifficulty = value;
        }
    }

    private void sharedText(ShareField field, ObjectCursor member, ExactReader in) {
        if (field == ShareField.MINER_ID) {
            identity = member.known(identities.runs()).orElse(null);
            if (identity != null) {
                return;
            }
        } else if (field == ShareField.CREDIT_POLICY && in.nullNext()) {
            creditPolicy = Optional.empty();
            return;
        }
        String text = in.sharedText();
        switch (field) {
            case MINER_ID -> minerId = text;
            case ORDER_KEY -> orderKey = text;
            case PROGRAM -> program = text;
            case JOB_ID -> jobId = text;
            default -> creditPolicy = Optional.of(text);
        }
    }

    PayoutIdentity identity() {
        PayoutIdentity known = identity;
        if (known == null) {
            known = identities.identity(minerId, orderKey, program);
            identities.runs().keep(known);
        }
        return known;
    }
}
