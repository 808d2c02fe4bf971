package org.prismpool.payout.finalization;

import java.util.Objects;
import java.util.Optional;

/**
 * Where the body of an audit bundle is.
 *
 * @param uri location outside the ledger; empty if the ledger stores the body itself
 * @param byteLength stored length
 */
public record StoredBody(Optional<String> uri, long byteLength) {

    /** Checks the components. */
    public StoredBody {
        Objects.requireNonNull(uri, "uri");
    }
}
