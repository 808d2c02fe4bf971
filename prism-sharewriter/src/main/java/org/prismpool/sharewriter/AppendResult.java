package org.prismpool.sharewriter;

import java.util.Optional;
import java.util.function.Function;

/** What became of one entry of an append. */
public sealed interface AppendResult {

    /**
     * Calls the function of the case at hand; a new case breaks every caller's build.
     *
     * @param fresh for a new row
     * @param replayed for a repeated one
     * @param conflict for a contradiction
     * @param failed for everything not durable
     * @param <T> type of the answer
     * @return the function's answer
     */
    <T> T fold(
            Function<New, T> fresh,
            Function<Replayed, T> replayed,
            Function<Conflict, T> conflict,
            Function<Failed, T> failed);

    /**
     * Tells whether the share is durable.
     *
     * @return true if the miner may be answered with success
     */
    default boolean durable() {
        return fold(fresh -> true, replayed -> true, conflict -> false, failed -> false);
    }

    /**
     * The share is durable and counts as new work.
     *
     * @param shareSeq its sequence
     * @param candidate state of its block candidate in the same transaction, empty for an ordinary share
     */
    record New(long shareSeq, Optional<CandidateState> candidate) implements AppendResult {
        @Override
        public <T> T fold(
                Function<New, T> fresh,
                Function<Replayed, T> replayed,
                Function<Conflict, T> conflict,
                Function<Failed, T> failed) {
            return fresh.apply(this);
        }
    }

    /**
     * The same share was durable before: success for the miner, but counted only the first time.
     *
     * @param shareSeq sequence of the first, authoritative row
     * @param candidate state of its block candidate in the same transaction, empty for an ordinary share
     */
    record Replayed(long shareSeq, Optional<CandidateState> candidate) implements AppendResult {
        @Override
        public <T> T fold(
                Function<New, T> fresh,
                Function<Replayed, T> replayed,
                Function<Conflict, T> conflict,
                Function<Failed, T> failed) {
            return replayed.apply(this);
        }
    }

    /**
     * The ledger holds another share under this id, or another intent for this block; nothing of the entry was written.
     *
     * @param kind what contradicts
     */
    record Conflict(ConflictKind kind) implements AppendResult {

        /**
         * Returns the contract's text.
         *
         * @return text for logs and for the miner
         */
        public String message() {
            return kind.message();
        }

        @Override
        public <T> T fold(
                Function<New, T> fresh,
                Function<Replayed, T> replayed,
                Function<Conflict, T> conflict,
                Function<Failed, T> failed) {
            return conflict.apply(this);
        }
    }

    /**
     * The share is not known to be durable; the same work may be submitted again.
     *
     * @param reason why
     * @param message text for the miner
     */
    record Failed(FailureReason reason, String message) implements AppendResult {
        @Override
        public <T> T fold(
                Function<New, T> fresh,
                Function<Replayed, T> replayed,
                Function<Conflict, T> conflict,
                Function<Failed, T> failed) {
            return failed.apply(this);
        }
    }

    /** Kind of contradiction. */
    enum ConflictKind {
        /** A durable share with this id has another payload. */
        SHARE("duplicate share_id payload mismatch"),
        /** A durable candidate with this hash has another share or digest. */
        CANDIDATE("block candidate payload mismatch");

        private final String message;

        ConflictKind(String message) {
            this.message = message;
        }

        /**
         * Returns the contract's text.
         *
         * @return text
         */
        public String message() {
            return message;
        }
    }

    /** Why an entry is not durable. */
    enum FailureReason {
        /** No queue slot became free within the admission timeout; nothing was written. */
        QUEUE_FULL,
        /** The transaction failed or its outcome is unknown at shutdown. */
        COMMIT_FAILED,
        /** The writer lease is lost; nothing was written and nothing will be. */
        FENCED,
        /** The writer is closed to new shares; nothing was written. */
        CLOSED
    }
}
