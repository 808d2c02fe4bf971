package org.prismpool.payout.window;

/** What became of an attempt to advance an {@link IncrementalWindow}. */
public sealed interface WindowAdvance {

    /**
     * The window now stands at the new anchor.
     *
     * @param added shares that came in
     * @param dropped oldest shares that left
     */
    record Advanced(int added, int dropped) implements WindowAdvance {}

    /**
     * The change can't be folded in; the window is unchanged and must be replaced by a full read.
     *
     * @param reason why
     */
    record RescanNeeded(Reason reason) implements WindowAdvance {}

    /** Why a window must be read again as a whole (payout specification 16). */
    enum Reason {
        /** The new anchor is before the old one. */
        ANCHOR_MOVED_BACKWARDS,
        /** The network difficulty, and with it the width, changed. */
        WINDOW_WEIGHT_CHANGED,
        /** A new share's sequence is not above every earlier one. */
        SEQUENCE_NOT_INCREASING,
        /** A new share has no difficulty. */
        DIFFICULTY_NOT_POSITIVE,
        /** A new share is not eligible at the new anchor. */
        NOT_ELIGIBLE,
        /** A new share was eligible at the old anchor already, so it was missed. */
        ALREADY_ELIGIBLE,
        /** A new share has the id of a share in the window. */
        DUPLICATE_SHARE_ID,
        /** Rows became visible late, under an older time. */
        APPEND_EPOCH_CHANGED,
        /** The owner declared the window invalid. */
        INVALIDATED
    }
}
