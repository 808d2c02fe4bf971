package org.prismpool.app.devnode.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.app.devnode.chain.CoinSet;
import org.prismpool.app.devnode.chain.DeclaredFees;
import org.prismpool.app.devnode.chain.RawBlock;
import org.prismpool.app.devnode.mempool.Mempool;
import org.prismpool.app.devnode.mempool.MempoolEntry;
import org.prismpool.app.devnode.mempool.RelayFee;
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
     * @param detail what the node adds to the reason, or empty
     * @param feeSats its fee, meaningful without a reason only
     */
    public record Verdict(Optional<String> reason, Optional<String> detail, long feeSats) {

        private static Verdict refused(String reason) {
            return new Verdict(Optional.of(reason), Optional.empty(), 0);
        }

        private static Verdict belowFee(long paid, long needed) {
            return new Verdict(Optional.of("min relay fee not met"), Optional.of(paid + " < " + needed), 0);
        }

        /**
         * Returns the whole text of a refusal.
         *
         * @return reason and detail; empty for an accepted transaction
         */
        public String text() {
            return reason.orElse("") + detail.map(more -> ", " + more).orElse("");
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
     * Judges whether an ordinary transaction could be in the next block after those of the pool, whatever fee it pays.
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
     * Judges whether an ordinary transaction would enter the pool on its own.
     *
     * @param transaction the transaction
     * @return its fee, or why it is refused
     */
    public Verdict checkRelay(Transaction transaction) {
        Verdict verdict = check(transaction);
        long needed = RelayFee.minimumSats(transaction.size());
        boolean tooLow = verdict.reason().isEmpty() && verdict.feeSats() < needed;
        return tooLow ? Verdict.belowFee(verdict.feeSats(), needed) : verdict;
    }

    /**
     * Adds an ordinary transaction.
     *
     * @param transaction the transaction
     * @return its fee, or why it is refused
     */
    public Verdict add(Transaction transaction) {
        Verdict verdict = checkRelay(transaction);
        if (verdict.reason().isEmpty()) {
            put(transaction, verdict.feeSats());
        }
        return verdict;
    }

    /**
     * Adds transactions that pay for each other: the fee of all must suffice for the size of all. Nothing is added unless
     * all are.
     *
     * @param transactions parents before children; those in the pool already count as paid for
     * @return one verdict each, in order
     */
    public List<Verdict> addTogether(List<Transaction> transactions) {
        List<Verdict> verdicts = new ArrayList<>();
        List<Transaction> added = new ArrayList<>();
        long fees = 0;
        long size = 0;
        for (Transaction transaction : transactions) {
            Optional<MempoolEntry> known = mempool.find(transaction.txid());
            if (known.isPresent()) {
                verdicts.add(new Verdict(
                        Optional.empty(), Optional.empty(), known.get().feeSats()));
                continue;
            }
            Verdict verdict = check(transaction);
            verdicts.add(verdict);
            if (verdict.reason().isEmpty()) {
                put(transaction, verdict.feeSats());
                added.add(transaction);
                fees += verdict.feeSats();
                size += transaction.size();
            }
        }
        long paid = fees;
        long needed = RelayFee.minimumSats(size);
        if (paid < needed) {
            verdicts.replaceAll(verdict -> verdict.reason().isEmpty() ? Verdict.belowFee(paid, needed) : verdict);
        }
        if (verdicts.stream().anyMatch(verdict -> verdict.reason().isPresent())) {
            added.forEach(transaction -> mempool.remove(transaction.txid()));
            verdicts.replaceAll(
                    verdict -> verdict.reason().isEmpty() ? Verdict.refused("package-not-validated") : verdict);
        }
        return verdicts;
    }

    private void put(Transaction transaction, long feeSats) {
        mempool.add(new MempoolEntry(transaction, feeSats, chain.clock().nowSeconds()));
    }

    /**
     * Puts the transactions of a disconnected block back, before those that wait and may spend them; {@link #revalidate}
     * sorts out what no longer fits.
     */
    void returnToPool(RawBlock block) {
        List<MempoolEntry> returned = new ArrayList<>();
        for (Transaction transaction : block.transactions()) {
            if (!transaction.isCoinbase()) {
                OptionalLong fee = declared.feeOf(transaction.txid());
                returned.add(new MempoolEntry(
                        transaction, fee.orElse(0), chain.clock().nowSeconds()));
            }
        }
        mempool.addFirst(returned);
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
                    mempool.replace(new MempoolEntry(transaction, verdict.feeSats(), entry.arrivedSeconds()));
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
            return new Verdict(verdict.reason(), verdict.detail(), verdict.feeSats());
        } finally {
            coins.revert(undo);
        }
    }
}
