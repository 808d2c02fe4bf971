package org.prismpool.payout.audit;

/**
 * Port to the highest publication ordinal of the ledger.
 *
 * <p>Called on the publishing thread while the publication guard is held, may block on the ledger; a retry is safe. A failed
 * read is an unchecked exception of the implementation and aborts the publication.
 */
@FunctionalInterface
public interface PublicationFloor {

    /**
     * Reads the ordinal freshly.
     *
     * @return the highest ordinal stored on any block, 0 if there is none
     */
    long highestSequence();
}
