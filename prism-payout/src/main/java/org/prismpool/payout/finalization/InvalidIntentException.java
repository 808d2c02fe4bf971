package org.prismpool.payout.finalization;

import org.jspecify.annotations.Nullable;

/** Signals an outbox row whose intent can't be used; the row is quarantined and must not stop others. */
public final class InvalidIntentException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InvalidIntentException(String detail, @Nullable Throwable cause) {
        super("invalid durable candidate intent: " + detail, cause);
    }
}
