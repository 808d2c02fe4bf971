package org.prismpool.stratum.share;

import java.util.Optional;
import org.prismpool.stratum.RejectReason;
import org.prismpool.stratum.codec.ResponseWriter;

/** An error answer: code, message and, for submits, the reason id (spec 02 §7.1). Immutable. */
public final class Rejection {

    /** Shutdown; the connection is closed after it. */
    public static final Rejection SHUTTING_DOWN = submit(20, RejectReason.POOL_CLOSED, "coordinator is shutting down");

    /** Fewer than five parameters. */
    public static final Rejection INCOMPLETE =
            submit(20, RejectReason.MALFORMED_SUBMIT, "submit params are incomplete");

    /** Another worker than the authorized one. */
    public static final Rejection WRONG_WORKER =
            submit(20, RejectReason.UNAUTHORIZED_WORKER, "submit username does not match authorized username");

    /** Enough blocks were found. */
    public static final Rejection POOL_CLOSED =
            submit(21, RejectReason.POOL_CLOSED, "pool is no longer accepting shares");

    /** Extranonce2 of another length. */
    public static final Rejection EXTRANONCE2_SIZE =
            submit(20, RejectReason.INVALID_EXTRANONCE, "unexpected extranonce2 size");

    /** Time or nonce of another length. */
    public static final Rejection NTIME_NONCE_SIZE =
            submit(20, RejectReason.INVALID_NTIME_OR_NONCE, "ntime and nonce must be 4-byte hex strings");

    /** Time out of range. */
    public static final Rejection NTIME_RANGE = submit(20, RejectReason.INVALID_NTIME_OR_NONCE, "ntime out of range");

    /** Unknown job. */
    public static final Rejection UNKNOWN_JOB = submit(21, RejectReason.UNKNOWN_JOB, "stale job");

    /** Dead parent. */
    public static final Rejection STALE_JOB = submit(21, RejectReason.STALE_JOB, "stale job");

    /** The tip's parent could not be read. */
    public static final Rejection NO_PARENT =
            submit(20, RejectReason.BACKEND_RPC_UNAVAILABLE, "failed to classify stale-grace parent tip");

    /** The node's tip could not be read. */
    public static final Rejection NO_TIP = submit(20, RejectReason.BACKEND_RPC_UNAVAILABLE, "failed to read chain tip");

    /** Extranonce2 with a character that is no hex digit. */
    public static final Rejection EXTRANONCE2_HEX = malformed("extranonce2 must be hexadecimal");

    /** Time with a character that is no hex digit. */
    public static final Rejection NTIME_HEX = malformed("ntime must be hexadecimal");

    /** Nonce with a character that is no hex digit. */
    public static final Rejection NONCE_HEX = malformed("nonce must be hexadecimal");

    /** Version bits that are not eight hex digits. */
    public static final Rejection VERSION_BITS_HEX = malformed("version_bits must be 4 bytes of hex");

    /** Version bits that were not granted. */
    public static final Rejection VERSION_BITS_MASK =
            malformed("version_bits include bits outside the negotiated mask");

    /** Header known already. */
    public static final Rejection DUPLICATE = submit(22, RejectReason.DUPLICATE_SHARE, "duplicate share");

    /** Hash above the share target. */
    public static final Rejection LOW_DIFFICULTY = submit(23, RejectReason.LOW_DIFFICULTY, "low difficulty share");

    /** Commit queue full. */
    public static final Rejection QUEUE_FULL =
            submit(20, RejectReason.INTERNAL_ERROR, "share ledger commit queue is full");

    /** Outcome of a block below the share target not known yet. */
    public static final Rejection BLOCK_PENDING = submit(20, RejectReason.INTERNAL_ERROR, "block outcome pending");

    /** Unexpected fault. */
    public static final Rejection INTERNAL = submit(20, RejectReason.INTERNAL_ERROR, "internal error");

    private final Optional<RejectReason> reason;
    private final byte[] tail;

    private Rejection(int code, Optional<RejectReason> reason, String message) {
        this.reason = reason;
        this.tail = ResponseWriter.errorTail(
                code, message, reason.map(RejectReason::id).orElse(""));
    }

    /**
     * Creates the answer to a failed commit.
     *
     * @param detail what went wrong
     * @return an answer with reason {@code internal-error}
     */
    public static Rejection commitFailed(String detail) {
        return submit(20, RejectReason.INTERNAL_ERROR, "share ledger commit failed: " + detail);
    }

    /**
     * Creates an answer without a reason id.
     *
     * @param message free text
     * @return an answer with code 20
     */
    public static Rejection protocol(String message) {
        return new Rejection(20, Optional.empty(), message);
    }

    /**
     * Creates an answer with a reason id.
     *
     * @param code error code
     * @param reason why
     * @param message free text
     * @return the answer
     */
    public static Rejection submit(int code, RejectReason reason, String message) {
        return new Rejection(code, Optional.of(reason), message);
    }

    private static Rejection malformed(String detail) {
        return submit(20, RejectReason.MALFORMED_SUBMIT, "malformed submit: " + detail);
    }

    /**
     * Returns the reason.
     *
     * @return the reason, or empty for a protocol error
     */
    public Optional<RejectReason> reason() {
        return reason;
    }

    /**
     * Encodes the answer.
     *
     * @param id id to echo
     * @return the line
     */
    public byte[] line(byte[] id) {
        return ResponseWriter.error(id, tail);
    }
}
