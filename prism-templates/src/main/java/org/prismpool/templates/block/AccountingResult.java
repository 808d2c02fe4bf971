package org.prismpool.templates.block;

/** How one pass of accounting over a candidate ended (spec 03 §6.7). */
public sealed interface AccountingResult {

    /**
     * The block is accounted and its outbox row is terminal.
     *
     * @param newlyAccounted false if an earlier process had accounted it already
     */
    record Submitted(boolean newlyAccounted) implements AccountingResult {}

    /**
     * The block is given up and its outbox row is terminal.
     *
     * @param reason why
     * @param message text of the outbox row
     */
    record Abandoned(AbandonReason reason, String message) implements AccountingResult {}

    /**
     * To be tried again after a pause.
     *
     * @param reason why
     * @param message detail for operators
     */
    record Retry(RetryReason reason, String message) implements AccountingResult {}

    /** Stored by the node but off the active chain: kept without retries until a reorganization or burial. */
    record Parked() implements AccountingResult {}

    /** Why a pass is repeated. */
    enum RetryReason {
        /** The node gave no answer. */
        BACKEND_RPC_UNAVAILABLE("backend-rpc-unavailable"),
        /** Something of ours failed. */
        INTERNAL_ERROR("internal-error"),
        /** The ledger's answer is unexplained. */
        LEDGER_CONFIRMATION_FAILED("ledger-confirmation-failed"),
        /** The rebuilt coinbase differs from the submitted one. */
        CANDIDATE_AUDIT_MISMATCH("candidate-audit-mismatch"),
        /** There is evidence that the block is accepted. */
        ACCEPTED_PENDING_FINALIZATION("accepted-pending-finalization");

        private final String id;

        RetryReason(String id) {
            this.id = id;
        }

        /**
         * Returns the reason id.
         *
         * @return label value
         */
        public String id() {
            return id;
        }
    }
}
