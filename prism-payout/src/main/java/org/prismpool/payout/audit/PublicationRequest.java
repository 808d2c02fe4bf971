package org.prismpool.payout.audit;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is published about a confirmed block.
 *
 * @param sequence ordinal that the ledger assigned when the block was confirmed, 1 or more
 * @param blockHash the block, display order, lower-case hexadecimal text
 * @param body where its bundle is
 * @param verification what was verified
 * @param coinbaseManifestSha256 hash of its coinbase manifest
 * @param annotations further members of the evidence: texts, integers, booleans, lists and maps of them
 * @param createdAt time of the publication
 */
public record PublicationRequest(
        long sequence,
        String blockHash,
        StoredArtifact body,
        VerificationIdentity verification,
        String coinbaseManifestSha256,
        Map<String, @Nullable Object> annotations,
        Instant createdAt) {

    /** Checks the ordinal and the hash, and takes the coinbase manifest's hash from the report if none is given. */
    public PublicationRequest {
        if (sequence < 1) {
            throw new IllegalArgumentException("a publication ordinal is 1 or more");
        }
        if (!blockHash.matches("[0-9a-f]{64}")) {
            throw new IllegalArgumentException("a block hash is 64 lower-case hexadecimal digits");
        }
        if (coinbaseManifestSha256.isEmpty()) {
            coinbaseManifestSha256 = verification.report().coinbaseManifestSha256Hex();
        }
    }

    long height() {
        return verification.report().blockHeight();
    }
}
