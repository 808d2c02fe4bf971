package org.prismpool.stratum;

/**
 * Identities of work that its owners compare; the server only carries them.
 *
 * @param payoutGeneration generation of the payout state that the coinbase pays
 * @param epoch refresh epoch that published the work
 * @param collection whether the pool was still collecting miners, so that the coinbase pays one solver
 * @param origin whatever the embedding pool needs to account for a block found with this work; never looked into
 */
public record WorkLabels(long payoutGeneration, long epoch, boolean collection, Object origin) {

    /** Labels of work without payout state. */
    public static final WorkLabels NONE = new WorkLabels(0, 0, false, "none");
}
