package org.prismpool.sharewriter.block;

import java.util.OptionalLong;

/**
 * Answer to a confirmation.
 *
 * @param outcome what happened
 * @param publicationSequence the block's durable ordinal, present for both confirmed outcomes
 */
public record ConfirmResult(Outcome outcome, OptionalLong publicationSequence) {

    /** What a confirmation did. */
    public enum Outcome {
        /** Prepared became confirmed now, with a new ordinal. */
        CONFIRMED,
        /** Was confirmed at this height before; same ordinal. */
        ALREADY_CONFIRMED,
        /** The row was disposed of (inactive, rejected, reversed): benign, somebody decided otherwise. */
        SUPERSEDED,
        /** Unknown hash or another height: unexplained. */
        UNEXPLAINED
    }

    /**
     * Tells whether the block is confirmed.
     *
     * @return true for both confirmed outcomes
     */
    public boolean confirmed() {
        return outcome == Outcome.CONFIRMED || outcome == Outcome.ALREADY_CONFIRMED;
    }
}
