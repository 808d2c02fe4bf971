package org.prismpool.app.devnode.state;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.app.devnode.chain.CoinSet;
import org.prismpool.app.devnode.chain.DeclaredFees;
import org.prismpool.app.devnode.chain.RawBlock;
import org.prismpool.app.devnode.mempool.Mempool;
import org.prismpool.app.devnode.mempool.MempoolEntry;
import org.prismpool.app.devnode.validation.ConnectChecks;
import org.prismpool.app.devnode.validation.TransactionChecks;
import org.prismpool.templates.chain.Transaction;

/** Decides which transactions enter and stay in the mempool. Not thread-safe: guarded by the lock of the chain state. */
public final class MempoolGate {

    private final Chainstate chain;
    private final Mempool mempool;
    private final CoinSet coins;
    private final DeclaredFees declared;
    private final ConnectChecks connects;
    private final ChainJournal journal;

    MempoolGate(Chainstate chain, DeclaredFees declared, ConnectChecks connects, ChainJournal journal) {
        this.chain = chain;
        this.mempool = chain.mempool();
        this.coins = chain.coins();
        this.declared = declared;
        this.connects = connects;
        this.journal = journal;
    }

    /**
     * What became of a transaction.
     *
     * @param reason why it was refused, or empty
     * @param feeSats its fee, meaningful without a reason only
     */
    public record Verdict(Optional<String> reason, long feeSats) {

        private static Verdict refused(String reason) {
            return new Verdict(Optional.of(reason), 0);
        }
    }

    /**
     * Adds a transaction that is valid by declaration, whatever it spends.
     *
     * @param transaction not a coinbase
     * @param feeSats the fee that templates show and blocks may pay out
     * @return false when it was in the pool already
     */
    public boolean declare(Transaction transaction, long feeSats) {
        declared.declare(transaction.txid(), feeSats);
        journal.feeDeclared(transaction, feeSats);
        return mempool.add(new MempoolEntry(transaction, feeSats, chain.clock().nowSeconds()));
    }

    /**
     * Judges an ordinary transaction as if all transactions of the pool were in the next block before it.
     *
     * @param transaction the transaction
     * @return its fee, or why it is refused
     */
    public Verdict check(Transaction transaction) {
        Optional<String> broken = TransactionChecks.structure(transaction);
        if (broken.isPresent()) {
            return Verdict.refused(broken.get());
        }
        if (transaction.isCoinbase()) {
            return Verdict.refused("coinbase");
        }
        int height = chain.tree().tip().height() + 1;
        if (!TransactionChecks.isFinal(transaction, height, chain.tree().tip().medianTimePast())) {
            return Verdict.refused("non-final");
        }
        if (chain.rules().restrictedOutputs()) {
            Optional<String> outputs = TransactionChecks.outputTypes(transaction);
            if (outputs.isPresent()) {
                return Verdict.refused(outputs.get());
            }
        }
        return withPoolApplied(height, transaction);
    }

    /**
     * Adds an ordinary transaction.
     *
     * @param transaction the transaction
     * @return its fee, or why it is refused
     */
    public Verdict add(Transaction transaction) {
        Verdict verdict = check(transaction);
        if (verdict.reason().isEmpty()) {
            mempool.add(new MempoolEntry(
                    transaction, verdict.feeSats(), chain.clock().nowSeconds()));
        }
        return verdict;
    }

    /** Puts the transactions of a disconnected block back; {@link #revalidate} sorts out what no longer fits. */
    void returnToPool(RawBlock block) {
        for (Transaction transaction : block.transactions()) {
            if (!transaction.isCoinbase()) {
                OptionalLong fee = declared.feeOf(transaction.txid());
                mempool.add(new MempoolEntry(
                        transaction, fee.orElse(0), chain.clock().nowSeconds()));
            }
        }
    }

    /** Drops what can't be in the next block any more and settles the fees of what can. */
    void revalidate() {
        int height = chain.tree().tip().height() + 1;
        List<MempoolEntry> before = mempool.entries();
        CoinSet.Undo undo = coins.begin();
        try {
            for (MempoolEntry entry : before) {
                Transaction transaction = entry.transaction();
                ConnectChecks.InputVerdict verdict = connects.inputs(transaction, height, coins);
                if (verdict.reason().isPresent()) {
                    mempool.remove(transaction.txid());
                    continue;
                }
                coins.spend(transaction, undo);
                coins.create(transaction, height, undo);
                if (verdict.feeSats() != entry.feeSats()) {
                    mempool.remove(transaction.txid());
                    mempool.add(new MempoolEntry(transaction, verdict.feeSats(), entry.arrivedSeconds()));
                }
            }
        } finally {
            coins.revert(undo);
        }
    }

    private Verdict withPoolApplied(int height, Transaction transaction) {
        CoinSet.Undo undo = coins.begin();
        try {
            for (MempoolEntry entry : mempool.entries()) {
                coins.spend(entry.transaction(), undo);
                coins.create(entry.transaction(), height, undo);
            }
            ConnectChecks.InputVerdict verdict = connects.inputs(transaction, height, coins);
            return new Verdict(verdict.reason(), verdict.feeSats());
        } finally {
            coins.revert(undo);
        }
    }
}
