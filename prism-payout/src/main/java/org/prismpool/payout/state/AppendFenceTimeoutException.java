package org.prismpool.payout.state;

import java.time.Duration;

/** Signals that an append could not take the landing fence in time; the batch must not be committed. */
public final class AppendFenceTimeoutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    AppendFenceTimeoutException(Duration waited) {
        super("landing fence not free within " + waited);
    }
}
