package org.prismpool.app.devnode.state;

import org.prismpool.app.devnode.chain.RawBlock;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Transaction;

/**
 * Port to the record of everything that changed the chain state, so that another process can repeat it. Called under the
 * lock of the chain state, after the change was decided and before anybody learns of it.
 */
public interface ChainJournal {

    /**
     * Records a block whose transactions were stored, active or not.
     *
     * @param block the block
     */
    default void blockStored(RawBlock block) {}

    /**
     * Records a transaction that was declared valid.
     *
     * @param transaction the transaction
     * @param feeSats declared fee
     */
    default void feeDeclared(Transaction transaction, long feeSats) {}

    /**
     * Records a decision by hand about a block.
     *
     * @param decision what was decided
     * @param hash the block
     */
    default void decided(BlockDecision decision, Hash256 hash) {}

    /**
     * Records that wallet addresses were handed out.
     *
     * @param count number of addresses since the genesis block
     */
    default void addressesIssued(long count) {}

    /**
     * Returns a journal that forgets.
     *
     * @return the journal of a node without a data directory
     */
    static ChainJournal none() {
        return new ChainJournal() {};
    }
}
