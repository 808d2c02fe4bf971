package org.prismpool.sharewriter;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Durable intent to submit a block, as opaque text: the ledger stores it, others read and write its content.
 *
 * @param blockHash display hash, 64 hex digits; kept in lower case
 * @param intentJson the intent document, one JSON object
 * @param sha256 identity digest of the intent, 64 lower-case hex digits: equal for a resubmission of the same solve
 */
public record OutboxIntent(String blockHash, String intentJson, String sha256) {

    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");

    /** Lowers the hash and checks the forms. */
    public OutboxIntent {
        blockHash = blockHash.toLowerCase(Locale.ROOT);
        if (!DIGEST.matcher(blockHash).matches()) {
            throw new IllegalArgumentException("block hash of a candidate must be 64 hex digits");
        }
        if (!DIGEST.matcher(sha256).matches()) {
            throw new IllegalArgumentException("candidate digest must be 64 lower-case hex digits");
        }
        if (!intentJson.startsWith("{")) {
            throw new IllegalArgumentException("candidate intent must be a JSON object");
        }
    }
}
