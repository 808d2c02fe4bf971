package org.prismpool.app.devnode.validation;

import java.util.List;
import java.util.Optional;
import org.prismpool.app.devnode.chain.RawBlock;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.MerkleBranch;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.Transaction;

/** Rules of a block that need no chain: merkle tree, size, coinbase presence, each transaction's structure. */
public final class BlockChecks {

    private BlockChecks() {}

    /**
     * Checks a block without its context and without its proof of work.
     *
     * @param block any block
     * @return the first broken rule in the node's order, or empty
     */
    public static Optional<String> contextFree(RawBlock block) {
        List<Transaction> transactions = block.transactions();
        // The merkle root of no transactions is zero.
        Hash256 root = transactions.isEmpty() ? Hash256.ZERO : MerkleBranch.root(block.txids());
        if (!root.equals(block.header().merkleRoot())) {
            return Optional.of("bad-txnmrklroot");
        }
        if (!transactions.isEmpty() && MerkleBranch.isMutated(block.txids())) {
            return Optional.of("bad-txns-duplicate");
        }
        if (transactions.isEmpty() || block.strippedSize() > Network.MAX_BLOCK_WEIGHT) {
            return Optional.of("bad-blk-length");
        }
        if (!block.coinbase().isCoinbase()) {
            return Optional.of("bad-cb-missing");
        }
        if (transactions.stream().skip(1).anyMatch(Transaction::isCoinbase)) {
            return Optional.of("bad-cb-multiple");
        }
        return transactions.stream()
                .map(TransactionChecks::structure)
                .flatMap(Optional::stream)
                .findFirst();
    }
}
