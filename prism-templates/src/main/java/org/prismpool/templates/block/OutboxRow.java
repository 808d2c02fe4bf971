package org.prismpool.templates.block;

import java.util.Optional;

/**
 * One pending row of the outbox.
 *
 * @param cursor place of the row
 * @param candidate decoded intent, or empty if it can't be decoded: the row is then to be quarantined
 * @param attempts accounting attempts of earlier processes
 * @param ledgerEvidence true if the ledger holds a prepared or confirmed row of this hash, or could not be asked
 */
public record OutboxRow(
        OutboxCursor cursor, Optional<BlockCandidate> candidate, int attempts, boolean ledgerEvidence) {}
