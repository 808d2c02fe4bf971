package org.prismpool.sharewriter.block;

import java.util.List;
import java.util.Optional;
import org.prismpool.lifecycle.time.Deadline;

/** Audit bundle rows. Thread-safe; failures as in {@link PoolBlocks}. */
public interface AuditRows {

    /**
     * Looks a bundle up by its block.
     *
     * @param blockHash display hash
     * @param deadline end of the read
     * @return the row, empty if unknown
     */
    Optional<AuditRow> find(String blockHash, Deadline deadline);

    /**
     * Looks bundles up that commit to a leaf, among audit and witness leaves, inline bodies included.
     *
     * @param leafHex leaf, lower-case hex
     * @param limit most rows to return, 1 or more
     * @param deadline end of the read
     * @return newest first
     */
    List<AuditRow> committing(String leafHex, int limit, Deadline deadline);

    /**
     * Lists blocks whose body is still inside the row.
     *
     * @param limit most hashes to return, 1 or more
     * @param deadline end of the read
     * @return display hashes, oldest first
     */
    List<String> inlineBodies(int limit, Deadline deadline);

    /**
     * Replaces an inline body by its file; fenced.
     *
     * @param blockHash display hash
     * @param sha256 digest that the row must hold
     * @param file where the body now is
     * @param deadline end of the transaction
     * @return true if the row changed
     */
    boolean externalise(String blockHash, String sha256, AuditBundleRow.External file, Deadline deadline);

    /**
     * Reads the payout rows of a block.
     *
     * @param blockHash display hash
     * @param deadline end of the read
     * @return rows by order key, miner id, program
     */
    List<PayoutRow> payouts(String blockHash, Deadline deadline);

    /**
     * Reads the newest payout entries of a recipient.
     *
     * @param minerId recipient, exact
     * @param limit most rows to return, 1 or more
     * @param deadline end of the read
     * @return newest block first; within a block the entry written last first
     */
    List<PaidRow> paidTo(String minerId, int limit, Deadline deadline);
}
