package org.prismpool.stratum;

/** The closed list of reason ids of a refused submission or block, shared with the metrics (spec 02 §7.1). */
public enum RejectReason {
    /** The pool is shutting down or accepts no more shares. */
    POOL_CLOSED("pool-closed"),
    /** Parameters are missing, not hexadecimal or not allowed. */
    MALFORMED_SUBMIT("malformed-submit"),
    /** The submit names another worker than the authorized one. */
    UNAUTHORIZED_WORKER("unauthorized-worker"),
    /** The extranonce2 has another size than announced. */
    INVALID_EXTRANONCE("invalid-extranonce"),
    /** Time or nonce have a wrong size, or the time is out of range. */
    INVALID_NTIME_OR_NONCE("invalid-ntime-or-nonce"),
    /** The job is not known for this session. */
    UNKNOWN_JOB("unknown-job"),
    /** The job's parent is no longer the tip. */
    STALE_JOB("stale-job"),
    /** The node could not be asked. */
    BACKEND_RPC_UNAVAILABLE("backend-rpc-unavailable"),
    /** The same header was submitted before. */
    DUPLICATE_SHARE("duplicate-share"),
    /** The hash is above the share target. */
    LOW_DIFFICULTY("low-difficulty"),
    /** The share could not be made durable, or its outcome is open. */
    INTERNAL_ERROR("internal-error"),
    /** The audit bundle of a found block does not match its coinbase. */
    CANDIDATE_AUDIT_MISMATCH("candidate-audit-mismatch"),
    /** The node refused a block. */
    SUBMITBLOCK_REJECTED("submitblock-rejected"),
    /** A block's parent is no longer the tip. */
    BLOCK_STALE("block-stale"),
    /** The ledger could not confirm a block. */
    LEDGER_CONFIRMATION_FAILED("ledger-confirmation-failed"),
    /** Another confirmation of the block came first. */
    LEDGER_CONFIRMATION_SUPERSEDED("ledger-confirmation-superseded");

    private final String id;

    RejectReason(String id) {
        this.id = id;
    }

    /**
     * Returns the id on the wire and in metrics.
     *
     * @return lower-case words joined by hyphens
     */
    public String id() {
        return id;
    }

    /**
     * Tells whether the reason counts as stale work.
     *
     * @return true for stale jobs, unknown jobs and stale blocks
     */
    public boolean countsAsStale() {
        return this == STALE_JOB || this == UNKNOWN_JOB || this == BLOCK_STALE;
    }
}
