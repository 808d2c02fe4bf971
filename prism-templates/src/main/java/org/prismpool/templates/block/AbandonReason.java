package org.prismpool.templates.block;

import java.util.Optional;

/** Why a candidate is given up for good (spec 03 §6.7). */
public enum AbandonReason {
    /** Its parent is no longer the tip. */
    TIP_MOVED("stale-job", "tip_moved"),
    /** The balances that its coinbase pays are no longer current. */
    BALANCE_STALE("stale-job", "balance_stale"),
    /** Its payout window misses a durable share. */
    APPEND_EPOCH_STALE("stale-job", "append_epoch_stale"),
    /** It is active at another height, or left the chain before confirmation. */
    BLOCK_STALE("block-stale", ""),
    /** The node refused it, or it is not active after the offer. */
    SUBMITBLOCK_REJECTED("submitblock-rejected", ""),
    /** The pool had found its last block. */
    POOL_CLOSED("pool-closed", ""),
    /** The ledger row was already disposed of. */
    LEDGER_CONFIRMATION_SUPERSEDED("ledger-confirmation-superseded", ""),
    /** The durable intent can't be decoded. */
    INVALID_INTENT("invalid-intent", "");

    private final String id;
    private final String staleClass;

    AbandonReason(String id, String staleClass) {
        this.id = id;
        this.staleClass = staleClass;
    }

    /**
     * Returns the reason id.
     *
     * @return label value
     */
    public String id() {
        return id;
    }

    /**
     * Returns the class of a stale job.
     *
     * @return label value, or empty for other reasons
     */
    public Optional<String> staleClass() {
        return staleClass.isEmpty() ? Optional.empty() : Optional.of(staleClass);
    }
}
