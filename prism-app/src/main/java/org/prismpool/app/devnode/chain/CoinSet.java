package org.prismpool.app.devnode.chain;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionInput;
import org.prismpool.templates.chain.TransactionOutput;

/**
 * The unspent outputs of the active chain. Inputs of declared transactions whose coins do not exist are remembered as
 * spent, so that none is spent twice. Not thread-safe: guarded by the lock of the chain state.
 */
public final class CoinSet {

    private static final int OP_RETURN = 0x6a;

    private final Map<OutPoint, Coin> coins = new HashMap<>();
    private final Set<OutPoint> spentWithoutCoin = new HashSet<>();

    /** Creates an empty set. */
    public CoinSet() {}

    /** How to take one block out of the set again: its changes, in the order they were made. */
    public static final class Undo {

        private final List<Runnable> steps = new ArrayList<>();

        private Undo() {}
    }

    /**
     * Returns the journal of a new block.
     *
     * @return an empty undo record
     */
    public Undo begin() {
        return new Undo();
    }

    /**
     * Finds an unspent output.
     *
     * @param point its name
     * @return the coin, or empty when it never existed or is spent
     */
    public Optional<Coin> find(OutPoint point) {
        return Optional.ofNullable(coins.get(point));
    }

    /**
     * Tells whether a declared transaction of the active chain already spent a coin that does not exist.
     *
     * @param point its name
     * @return true if spent
     */
    public boolean isSpentWithoutCoin(OutPoint point) {
        return spentWithoutCoin.contains(point);
    }

    /**
     * Spends the inputs of a transaction.
     *
     * @param transaction not a coinbase; missing coins are remembered as spent
     * @param undo journal of the block
     */
    public void spend(Transaction transaction, Undo undo) {
        for (TransactionInput input : transaction.inputs()) {
            OutPoint point = new OutPoint(input.previousTxid(), input.previousIndex());
            Coin coin = coins.remove(point);
            if (coin != null) {
                undo.steps.add(() -> coins.put(point, coin));
            } else {
                spentWithoutCoin.add(point);
                undo.steps.add(() -> spentWithoutCoin.remove(point));
            }
        }
    }

    /**
     * Adds the outputs of a transaction; data outputs can't be spent and are left out.
     *
     * @param transaction any transaction
     * @param height height of its block
     * @param undo journal of the block
     */
    public void create(Transaction transaction, int height, Undo undo) {
        boolean coinbase = transaction.isCoinbase();
        List<TransactionOutput> outputs = transaction.outputs();
        for (int i = 0; i < outputs.size(); i++) {
            byte[] script = outputs.get(i).script();
            if (script.length > 0 && script[0] == OP_RETURN) {
                continue;
            }
            OutPoint point = new OutPoint(transaction.txid(), i);
            coins.put(point, new Coin(outputs.get(i), height, coinbase));
            undo.steps.add(() -> coins.remove(point));
        }
    }

    /**
     * Takes a block out again.
     *
     * @param undo journal of the block connected last
     */
    public void revert(Undo undo) {
        for (int i = undo.steps.size() - 1; i >= 0; i--) {
            undo.steps.get(i).run();
        }
        undo.steps.clear();
    }

    /**
     * Passes every coin to a visitor, in no order.
     *
     * @param visitor must not change the set
     */
    public void forEach(BiConsumer<OutPoint, Coin> visitor) {
        coins.forEach(visitor);
    }

    /**
     * Returns the number of coins.
     *
     * @return 0 or more
     */
    public int size() {
        return coins.size();
    }
}
