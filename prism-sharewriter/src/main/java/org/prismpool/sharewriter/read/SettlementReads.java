package org.prismpool.sharewriter.read;

import java.util.Optional;
import org.prismpool.lifecycle.time.Deadline;

/**
 * How blocks were settled and the documents that prove it (lifecycle contract §7.7, settlement-artifacts, fanouts,
 * artifacts). Bodies come as they are stored: whoever serves them verifies them first.
 *
 * <p>Thread-safe and blocking; failures as in {@link PublicReads}.
 */
public interface SettlementReads {

    /**
     * Reads the settlement of a block, whatever its chain state.
     *
     * @param blockHash display hash, in either case
     * @param deadline end of the read
     * @return the settlement, empty for a block that the ledger does not know
     */
    Optional<BlockSettlement> ofBlock(String blockHash, Deadline deadline);

    /**
     * Looks a fanout transaction up.
     *
     * @param fanoutTxid id of the transaction, in either case
     * @param deadline end of the read
     * @return the transaction, empty if unknown
     */
    Optional<PublicFanout> fanout(String fanoutTxid, Deadline deadline);

    /**
     * Reads the fanout transactions that are not settled: awaiting maturity, broadcastable or submitted, whether or not
     * the next attempt is due; by block height, then chunk.
     *
     * @param page page
     * @param deadline end of the read
     * @return transactions of the page
     */
    Paged<PublicFanout> pendingFanouts(PageRequest page, Deadline deadline);

    /**
     * Looks a public document up: an audit bundle, a manifest set or a manifest by the SHA-256 of its canonical bytes, or
     * a fanout transaction by its id.
     *
     * @param digest 64 hex digits, in either case
     * @param deadline end of the read
     * @return the document, empty if none has this digest
     */
    Optional<PublicArtifact> artifact(String digest, Deadline deadline);
}
