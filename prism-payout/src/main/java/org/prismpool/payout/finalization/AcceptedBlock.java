package org.prismpool.payout.finalization;

import java.util.List;
import java.util.Objects;
import org.prismpool.payout.reward.PayoutAccount;

/**
 * The rows of an accepted block as they are to be stored (spec 06 §5.3).
 *
 * @param solution the block
 * @param work frozen inputs of its work
 * @param document its verified audit bundle
 * @param storedBody where the bundle's body is
 * @param accounts accounts of its payout policy manifest
 */
public record AcceptedBlock(
        CandidateIntent.Solution solution,
        IntentWork work,
        AuditDocument document,
        StoredBody storedBody,
        List<PayoutAccount> accounts) {

    /** Checks and copies the components. */
    public AcceptedBlock {
        Objects.requireNonNull(solution, "solution");
        Objects.requireNonNull(work, "work");
        Objects.requireNonNull(document, "document");
        Objects.requireNonNull(storedBody, "storedBody");
        accounts = List.copyOf(accounts);
    }
}
