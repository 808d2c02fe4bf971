package org.prismpool.payout.finalization;

import java.util.Objects;

/**
 * An intent as the outbox stores it.
 *
 * @param json the intent as compact JSON, pure ASCII
 * @param sha256 its identity, lower-case hex: the same for a resubmission that differs in acceptance time only
 */
public record EncodedIntent(String json, String sha256) {

    /** Checks the components. */
    public EncodedIntent {
        Objects.requireNonNull(json, "json");
        Objects.requireNonNull(sha256, "sha256");
    }
}
