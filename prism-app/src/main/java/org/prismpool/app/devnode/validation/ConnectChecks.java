package org.prismpool.app.devnode.validation;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.prismpool.app.devnode.chain.ChainRules;
import org.prismpool.app.devnode.chain.Coin;
import org.prismpool.app.devnode.chain.CoinSet;
import org.prismpool.app.devnode.chain.DeclaredFees;
import org.prismpool.app.devnode.chain.OutPoint;
import org.prismpool.app.devnode.chain.RawBlock;
import org.prismpool.templates.chain.Network;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionInput;
import org.prismpool.templates.chain.TransactionOutput;

/**
 * Rules that need the coins of the active chain, applied while a block is connected. Scripts are not run: a transaction
 * that spends existing coins counts as signed.
 */
public final class ConnectChecks {

    private final ChainRules rules;
    private final DeclaredFees declared;

    /**
     * Creates the checks.
     *
     * @param rules the chain's parameters
     * @param declared transactions that are valid by declaration
     */
    public ConnectChecks(ChainRules rules, DeclaredFees declared) {
        this.rules = rules;
        this.declared = declared;
    }

    /**
     * Connects a block to the coins.
     *
     * @param block a block that extends the active tip
     * @param height its height
     * @param coins changed only as recorded in the journal; the caller reverts it on a broken rule
     * @param undo empty journal
     * @return the first broken rule, or empty
     */
    public Optional<String> connect(RawBlock block, int height, CoinSet coins, CoinSet.Undo undo) {
        Optional<String> repeated = repeatedTransaction(block, coins);
        if (repeated.isPresent()) {
            return repeated;
        }
        long fees = 0;
        for (Transaction transaction : block.transactions()) {
            if (!transaction.isCoinbase()) {
                InputVerdict verdict = inputs(transaction, height, coins);
                if (verdict.reason().isPresent()) {
                    return verdict.reason();
                }
                fees += verdict.feeSats();
                coins.spend(transaction, undo);
            }
            coins.create(transaction, height, undo);
        }
        return wholeBlock(block, height, fees);
    }

    /**
     * Judges the inputs of one transaction.
     *
     * @param reason the broken rule, or empty
     * @param detail what the node adds to the reason outside of blocks, or empty
     * @param feeSats fee in base units, meaningful without a reason only
     */
    public record InputVerdict(Optional<String> reason, Optional<String> detail, long feeSats) {

        private static InputVerdict paying(long feeSats) {
            return new InputVerdict(Optional.empty(), Optional.empty(), feeSats);
        }

        private static InputVerdict broken(String reason) {
            return new InputVerdict(Optional.of(reason), Optional.empty(), 0);
        }

        private static InputVerdict premature(int depth) {
            return new InputVerdict(
                    Optional.of("bad-txns-premature-spend-of-coinbase"),
                    Optional.of("tried to spend coinbase at depth " + depth),
                    0);
        }
    }

    /**
     * Checks the inputs of a transaction that is not a coinbase.
     *
     * @param transaction the transaction
     * @param height height of the block it would be in
     * @param coins unspent outputs before it
     * @return the fee, or the broken rule
     */
    public InputVerdict inputs(Transaction transaction, int height, CoinSet coins) {
        OptionalLong fee = declared.feeOf(transaction.txid());
        long in = 0;
        for (TransactionInput input : transaction.inputs()) {
            OutPoint point = new OutPoint(input.previousTxid(), input.previousIndex());
            Optional<Coin> coin = coins.find(point);
            if (fee.isPresent() ? coins.isSpentWithoutCoin(point) : coin.isEmpty()) {
                return InputVerdict.broken("bad-txns-inputs-missingorspent");
            }
            if (coin.isPresent() && coin.get().coinbase() && height - coin.get().height() < rules.coinbaseMaturity()) {
                return InputVerdict.premature(height - coin.get().height());
            }
            in += coin.map(found -> found.output().valueSats()).orElse(0L);
        }
        if (fee.isPresent()) {
            return InputVerdict.paying(fee.getAsLong());
        }
        long out = total(transaction.outputs());
        return in < out ? InputVerdict.broken("bad-txns-in-belowout") : InputVerdict.paying(in - out);
    }

    private Optional<String> wholeBlock(RawBlock block, int height, long fees) {
        if (rules.restrictedOutputs()) {
            Optional<String> outputs = block.transactions().stream()
                    .map(TransactionChecks::outputTypes)
                    .flatMap(Optional::stream)
                    .findFirst();
            if (outputs.isPresent()) {
                return outputs;
            }
        }
        long sigops = block.transactions().stream().mapToLong(Sigops::of).sum();
        if (sigops > Network.MAX_SIGOPS_COST) {
            return Optional.of("bad-blk-sigops");
        }
        long allowed = rules.network().subsidySats(height) + fees;
        return total(block.coinbase().outputs()) > allowed ? Optional.of("bad-cb-amount") : Optional.empty();
    }

    private static Optional<String> repeatedTransaction(RawBlock block, CoinSet coins) {
        for (Transaction transaction : block.transactions()) {
            int outputs = transaction.outputs().size();
            for (int i = 0; i < outputs; i++) {
                if (coins.find(new OutPoint(transaction.txid(), i)).isPresent()) {
                    return Optional.of("bad-txns-BIP30");
                }
            }
        }
        return Optional.empty();
    }

    private static long total(List<TransactionOutput> outputs) {
        return outputs.stream().mapToLong(TransactionOutput::valueSats).sum();
    }
}
