package org.prismpool.payout.window;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.ExactReader;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.ObjectCursor;
import org.prismpool.payout.json.U128;

/**
 * The members that a published share and a counted share have in common (payout specification 8.2 and 8.6), written in their
 * one order and collected while they are read. For one thread.
 */
final class ShareMembers {

    static final Name SHARE_SEQ = Name.of("share_seq");
    static final Name SHARE_ID = Name.of("share_id");
    static final Name MINER_ID = Name.of("miner_id");
    static final Name ORDER_KEY = Name.of("order_key");
    static final Name PROGRAM = Name.of("p2mr_program_hex");
    static final Name SHARE_DIFFICULTY = Name.of("share_difficulty");
    static final Name COUNTED_DIFFICULTY = Name.of("counted_difficulty");
    static final Name JOB_ISSUED_AT_MS = Name.of("job_issued_at_ms");
    static final Name ACCEPTED_AT_MS = Name.of("accepted_at_ms");
    static final Name CREDIT_POLICY = Name.of("credit_policy");

    long shareSeq;
    String shareId = "";
    U128 shareDifficulty = U128.ZERO;
    long jobIssuedAtMs;
    long acceptedAtMs;

    Optional<String> creditPolicy = Optional.empty();

    private final IdentityPool identities;
    private @Nullable PayoutIdentity identity; // if it was recognised as a whole
    private String minerId = "";
    private String orderKey = "";
    private String program = "";

    ShareMembers(IdentityPool identities) {
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

    /** Reads the value of the current member if it is a common one; false if it is none of them. */
    boolean read(ObjectCursor member, ExactReader in) {
        switch (member.name()) {
            case "share_seq" -> shareSeq = in.unsigned64();
            case "share_id" -> shareId = in.text();
            case "miner_id" -> {
                identity = member.known(identities.runs()).orElse(null);
                if (identity == null) {
                    minerId = in.sharedText();
                }
            }
            case "order_key" -> orderKey = in.sharedText();
            case "p2mr_program_hex" -> program = in.sharedText();
            case "share_difficulty" -> shareDifficulty = in.unsigned128();
            case "job_issued_at_ms" -> jobIssuedAtMs = in.signed64();
            case "accepted_at_ms" -> acceptedAtMs = in.signed64();
            case "credit_policy" -> creditPolicy = in.optional(in::sharedText);
            default -> {
                return false;
            }
        }
        return true;
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
