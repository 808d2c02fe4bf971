package org.prismpool.app.publicapi;

import org.prismpool.app.publicapi.query.Page;
import org.prismpool.lifecycle.time.Deadline;

/**
 * Port to the documents about blocks, their settlement and its artifacts. Thread-safe; blocks on the ledger, the artifact files and
 * the node until the deadline. Any exception that is not named below becomes a 500 without its text.
 */
public interface BlockModels {

    /**
     * Returns {@code /blocks}.
     *
     * @param page part of the list
     * @param deadline end of all reads
     * @return the document
     */
    PublicBody blocks(Page page, Deadline deadline);

    /**
     * Returns {@code /blocks/{hash}/settlement-artifacts}.
     *
     * @param blockHash 64 lower-case hex digits
     * @param deadline end of all reads
     * @return the document
     * @throws NotFoundException {@code unknown PRISM settlement artifact block}
     */
    PublicBody settlementArtifacts(String blockHash, Deadline deadline);

    /**
     * Returns {@code /artifacts/{sha256}}.
     *
     * @param sha256 64 lower-case hex digits
     * @param deadline end of all reads
     * @return the artifact itself, which has this digest
     * @throws NotFoundException {@code unknown public PRISM artifact}
     */
    PublicBody artifact(String sha256, Deadline deadline);

    /**
     * Returns {@code /fanouts/pending}.
     *
     * @param page part of the list
     * @param deadline end of all reads
     * @return the document
     */
    PublicBody pendingFanouts(Page page, Deadline deadline);

    /**
     * Returns {@code /fanouts/{txid}}.
     *
     * @param txid 64 lower-case hex digits
     * @param deadline end of all reads
     * @return the document
     * @throws NotFoundException {@code unknown PRISM CTV fanout}
     */
    PublicBody fanout(String txid, Deadline deadline);
}
