package org.prismpool.sharewriter.block;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.CandidateState;
import org.prismpool.sharewriter.OutboxIntent;

/**
 * Durable intents to submit a block (ledger contract §2.4). Writes are fenced; a terminal row never changes again.
 *
 * <p>Thread-safe; failures as in {@link PoolBlocks}.
 */
public interface CandidateOutboxRows {

    /**
     * Stores a candidate whose share is not credited (yet); repeating it is safe.
     *
     * @param intent the intent
     * @param deadline end of the transaction
     * @return whether the row is new, and its state
     * @throws org.prismpool.sharewriter.BlockMismatchException if the block has an intent with another digest
     */
    CandidateInsert insert(OutboxIntent intent, Deadline deadline);

    /**
     * Counts an accounting attempt of a pending candidate.
     *
     * @param blockHash display hash
     * @param deadline end of the transaction
     * @return true if the row is pending
     */
    boolean attempted(String blockHash, Deadline deadline);

    /**
     * Makes a pending candidate terminal and drops its intent.
     *
     * @param blockHash display hash
     * @param state submitted or abandoned
     * @param error why, empty for none
     * @param deadline end of the transaction
     * @return true if this call changed the row
     */
    boolean finish(String blockHash, CandidateState state, String error, Deadline deadline);

    /**
     * Abandons superseded siblings at once; a candidate that owns a block row is left alone.
     *
     * @param blockHashes display hashes
     * @param error why
     * @param deadline end of the transaction
     * @return exactly the hashes that changed
     */
    Set<String> abandonSuperseded(Collection<String> blockHashes, String error, Deadline deadline);

    /**
     * Reads a page of pending candidates in the order of creation; a page below the limit is the last.
     *
     * @param after place to continue from, {@link OutboxPosition#START} for the first page
     * @param limit most rows to return, 1 or more
     * @param deadline end of the read
     * @return rows by creation, then hash
     */
    List<CandidateRow> pending(OutboxPosition after, int limit, Deadline deadline);

    /**
     * Looks a candidate up.
     *
     * @param blockHash display hash
     * @param deadline end of the read
     * @return the row, empty if unknown
     */
    Optional<CandidateRow> find(String blockHash, Deadline deadline);

    /**
     * Measures the backlog.
     *
     * @param parked hashes to leave out: known to the node, waiting for a reorganisation
     * @param deadline end of the read
     * @return gauges
     */
    OutboxGauges gauges(Set<String> parked, Deadline deadline);
}
