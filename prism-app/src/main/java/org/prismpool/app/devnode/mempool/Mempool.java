package org.prismpool.app.devnode.mempool;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionInput;

/**
 * Transactions in order of arrival. The change counter grows with each change; a bump grows it without any. Not
 * thread-safe: guarded by the lock of the chain state.
 */
public final class Mempool {

    private final Map<Hash256, MempoolEntry> entries = new LinkedHashMap<>();
    private long changes;
    private long bumps;

    /** Creates an empty pool. */
    public Mempool() {}

    /**
     * Adds a transaction at the end.
     *
     * @param entry the transaction with its fee
     * @return false when it was there already
     */
    public boolean add(MempoolEntry entry) {
        boolean added = entries.putIfAbsent(entry.transaction().txid(), entry) == null;
        if (added) {
            changes++;
        }
        return added;
    }

    /**
     * Adds transactions before all others; those in the pool already move to the front.
     *
     * @param first in the order they shall have
     */
    public void addFirst(List<MempoolEntry> first) {
        if (first.isEmpty()) {
            return;
        }
        Map<Hash256, MempoolEntry> rest = new LinkedHashMap<>(entries);
        entries.clear();
        first.forEach(entry -> entries.put(entry.transaction().txid(), entry));
        rest.forEach(entries::putIfAbsent);
        changes++;
    }

    /**
     * Replaces the entry of a transaction, which keeps its place.
     *
     * @param entry the same transaction with other facts
     */
    public void replace(MempoolEntry entry) {
        if (entries.replace(entry.transaction().txid(), entry) != null) {
            changes++;
        }
    }

    /**
     * Removes a transaction.
     *
     * @param txid its id
     * @return the entry, or empty when it was not there
     */
    public Optional<MempoolEntry> remove(Hash256 txid) {
        MempoolEntry removed = entries.remove(txid);
        if (removed != null) {
            changes++;
        }
        return Optional.ofNullable(removed);
    }

    /**
     * Removes what a block confirmed and what it contradicts.
     *
     * @param confirmed transactions of the block
     */
    public void removeConfirmed(List<Transaction> confirmed) {
        for (Transaction transaction : confirmed) {
            remove(transaction.txid());
            for (TransactionInput input : transaction.inputs()) {
                removeSpenders(input);
            }
        }
    }

    /**
     * Keeps only what passes, looked at in order of arrival.
     *
     * @param stays asked once per entry
     */
    public void retain(Predicate<MempoolEntry> stays) {
        for (MempoolEntry entry : List.copyOf(entries.values())) {
            if (!stays.test(entry)) {
                remove(entry.transaction().txid());
            }
        }
    }

    /**
     * Finds a transaction.
     *
     * @param txid its id
     * @return the entry, or empty
     */
    public Optional<MempoolEntry> find(Hash256 txid) {
        return Optional.ofNullable(entries.get(txid));
    }

    /**
     * Returns all transactions.
     *
     * @return a copy in order of arrival
     */
    public List<MempoolEntry> entries() {
        return new ArrayList<>(entries.values());
    }

    /** Grows the change counter although nothing changed, so that the next template has another fingerprint. */
    public void bump() {
        changes++;
        bumps++;
    }

    /**
     * Returns how often the pool changed.
     *
     * @return 0 or more; only grows
     */
    public long changes() {
        return changes;
    }

    /**
     * Returns how often the pool was bumped.
     *
     * @return 0 or more; only grows
     */
    public long bumps() {
        return bumps;
    }

    private void removeSpenders(TransactionInput spent) {
        entries.values().stream()
                .filter(entry -> entry.transaction().inputs().stream()
                        .anyMatch(input -> input.previousIndex() == spent.previousIndex()
                                && input.previousTxid().equals(spent.previousTxid())))
                .map(entry -> entry.transaction().txid())
                .toList()
                .forEach(this::remove);
    }
}
