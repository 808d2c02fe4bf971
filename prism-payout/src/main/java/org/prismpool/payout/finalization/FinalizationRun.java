package org.prismpool.payout.finalization;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.prismpool.templates.block.BlockCandidate;
import org.prismpool.templates.block.OfferedCandidate;
import org.prismpool.templates.chain.Hash256;

/** One pass over one candidate: what the phases have found out so far. Confined to the finalizer's thread. */
final class FinalizationRun {

    private final OfferedCandidate offered;
    private final CandidateIntent intent;
    private BlockRow row = BlockRow.ABSENT;
    private boolean active;
    private boolean rowsTouched;
    private boolean confirmedHere;
    private long publicationSequence;
    private @Nullable AuditDocument document;
    private @Nullable StoredBody storedBody;
    private BlockEvidence.@Nullable ShareCounts counts;

    FinalizationRun(OfferedCandidate offered, CandidateIntent intent) {
        this.offered = offered;
        this.intent = intent;
    }

    OfferedCandidate offered() {
        return offered;
    }

    BlockCandidate candidate() {
        return offered.candidate();
    }

    Hash256 hash() {
        return offered.candidate().hash();
    }

    long height() {
        return offered.candidate().height();
    }

    CandidateIntent intent() {
        return intent;
    }

    BlockRow row() {
        return row;
    }

    void row(BlockRow found) {
        row = found;
        publicationSequence = found.publicationSequence();
    }

    /** Whether the ledger had confirmed the block before this pass. */
    boolean confirmedBefore() {
        return row.state() == BlockRow.State.CONFIRMED;
    }

    /** Whether the chain proved the block active in this pass. */
    boolean active() {
        return active;
    }

    void provenActive() {
        active = true;
    }

    /** Whether rows of the block may have been written in this pass. */
    boolean rowsTouched() {
        return rowsTouched;
    }

    void touchesRows() {
        rowsTouched = true;
    }

    long publicationSequence() {
        return publicationSequence;
    }

    void confirmedAs(long sequence) {
        publicationSequence = sequence;
        confirmedHere = true;
    }

    /** Whether this pass confirmed the block. */
    boolean confirmedHere() {
        return confirmedHere;
    }

    AuditDocument document() {
        return present(document, "the bundle was not rebuilt");
    }

    void document(AuditDocument rebuilt) {
        document = rebuilt;
    }

    StoredBody storedBody() {
        return present(storedBody, "the body was not stored");
    }

    void storedBody(StoredBody stored) {
        storedBody = stored;
    }

    Optional<BlockEvidence.ShareCounts> counts() {
        return Optional.ofNullable(counts);
    }

    void counts(BlockEvidence.ShareCounts read) {
        counts = read;
    }

    private static <T> T present(@Nullable T value, String message) {
        if (value == null) {
            throw new IllegalStateException(message);
        }
        return value;
    }
}
