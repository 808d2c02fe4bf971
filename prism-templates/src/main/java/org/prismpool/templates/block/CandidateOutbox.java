package org.prismpool.templates.block;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.chain.Hash256;

/**
 * Port to the durable rows of pending candidates.
 *
 * <p>Thread-safe and blocking, at most until the deadline. A failure is an unchecked exception; repeating a call is
 * safe.
 */
public interface CandidateOutbox {

    /**
     * Reads pending rows in the order of creation and hash.
     *
     * @param after last row of the page before, or empty for the first page
     * @param limit largest number of rows, 1 or more
     * @param deadline latest end
     * @return a page; shorter than the limit only at the end
     */
    List<OutboxRow> pendingPage(Optional<OutboxCursor> after, int limit, Deadline deadline);

    /**
     * Counts an attempt of accounting; durable on return.
     *
     * @param hash block hash
     * @param deadline latest end
     */
    void attempted(Hash256 hash, Deadline deadline);

    /**
     * Ends the row of an accounted block; durable on return.
     *
     * @param hash block hash
     * @param deadline latest end
     */
    void submitted(Hash256 hash, Deadline deadline);

    /**
     * Ends the row of an abandoned or undecodable candidate; durable on return.
     *
     * @param hashHex display hash, the key of the row
     * @param message reason for operators
     * @param deadline latest end
     */
    void abandoned(String hashHex, String message, Deadline deadline);

    /**
     * Ends rows of candidates that lost to a sibling, in one statement; a row whose block the ledger knows is left alone.
     * Durable on return. An outbox that can't do it ends none.
     *
     * @param hashesHex display hashes, the keys of the rows
     * @param message reason for operators
     * @param deadline latest end
     * @return exactly the keys of the rows that ended
     */
    default Set<String> abandonSuperseded(Collection<String> hashesHex, String message, Deadline deadline) {
        return Set.of();
    }

    /**
     * Inserts a candidate from the spool unless its row exists, and links its share if that row exists; durable on
     * return.
     *
     * @param candidate spooled candidate
     * @param deadline latest end
     */
    void insertSpooled(BlockCandidate candidate, Deadline deadline);
}
