package org.prismpool.payout.tool;

/** Ends a run with a message. */
final class ToolFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ToolFailure(String message) {
        super(message, null, false, false);
    }
}
