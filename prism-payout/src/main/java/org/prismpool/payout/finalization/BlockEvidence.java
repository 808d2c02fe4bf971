package org.prismpool.payout.finalization;

import java.util.Objects;

/**
 * What the live evidence document of an accounted block is made from.
 *
 * @param intent intent of the block
 * @param document its verified bundle
 * @param storedBody where the bundle's body is
 * @param publicationSequence its ordinal
 * @param counts aggregate numbers of the ledger
 */
public record BlockEvidence(
        CandidateIntent intent,
        AuditDocument document,
        StoredBody storedBody,
        long publicationSequence,
        ShareCounts counts) {

    /** Checks the components. */
    public BlockEvidence {
        Objects.requireNonNull(intent, "intent");
        Objects.requireNonNull(document, "document");
        Objects.requireNonNull(storedBody, "storedBody");
        Objects.requireNonNull(counts, "counts");
        if (publicationSequence < 1) {
            throw new IllegalArgumentException("a confirmed block has an ordinal");
        }
    }

    /**
     * Aggregate numbers, from counters and never from a scan of all shares.
     *
     * @param acceptedShares accepted shares of the ledger
     * @param distinctMiners miners among them
     */
    public record ShareCounts(long acceptedShares, long distinctMiners) {}
}
