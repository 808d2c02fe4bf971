package org.prismpool.payout.reward;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.prismpool.payout.json.CanonicalWriter;
import org.prismpool.payout.json.Name;
import org.prismpool.payout.json.U128;
import org.prismpool.payout.json.Utf8Order;
import org.prismpool.payout.window.PayoutRuleException;

/**
 * An account of a block on its way to maturity (payout specification 8.15 and 14).
 *
 * @param blockHash the block
 * @param blockHeight its height, unsigned 64 bits
 * @param account the account
 * @param state how far it is
 */
public record MaturityEntry(String blockHash, long blockHeight, PayoutAccount account, State state) {

    /** Blocks on top after which a coinbase can be spent and a payout can't be reversed any more. */
    public static final long COINBASE_MATURITY = 1000;

    private static final Name BLOCK_HASH = Name.of("block_hash");
    private static final Name BLOCK_HEIGHT = Name.of("block_height");
    private static final Name STATE = Name.of("state");

    /** How far an entry is. */
    public enum State {
        /** May still be reversed by a reorganisation. */
        IMMATURE("immature"),
        /** Final. */
        MATURE("mature"),
        /** Undone by a reorganisation. */
        REVERSED("reversed");

        private final String text;

        State(String text) {
            this.text = text;
        }

        /**
         * Returns the text in documents.
         *
         * @return the text
         */
        public String text() {
            return text;
        }
    }

    /**
     * Returns the entries of a block that was just confirmed.
     *
     * @param blockHash the block
     * @param blockHeight its height, unsigned 64 bits
     * @param manifest who it pays
     * @return one immature entry for each account, in the same order
     */
    public static List<MaturityEntry> of(String blockHash, long blockHeight, PayoutPolicyManifest manifest) {
        return manifest.accounts().stream()
                .map(account -> new MaturityEntry(blockHash, blockHeight, account, State.IMMATURE))
                .toList();
    }

    /**
     * Matures what is deep enough.
     *
     * @param entries the entries
     * @param tipHeight height of the tip, unsigned 64 bits
     * @return the entries; immature ones with 1000 blocks on top are mature now
     */
    public static List<MaturityEntry> matureAt(List<MaturityEntry> entries, long tipHeight) {
        return entries.stream()
                .map(each ->
                        each.state == State.IMMATURE && each.isFinalAt(tipHeight) ? each.withState(State.MATURE) : each)
                .toList();
    }

    /**
     * Reverses the entries of blocks that left the chain.
     *
     * @param entries the entries
     * @param blockHashes the blocks
     * @param tipHeight height of the tip, unsigned 64 bits
     * @return the entries; immature ones of these blocks are reversed, reversed ones stay so
     * @throws PayoutRuleException if one of them is 1000 blocks deep or mature; then nothing changed
     */
    public static List<MaturityEntry> disconnect(List<MaturityEntry> entries, Set<String> blockHashes, long tipHeight) {
        List<MaturityEntry> changed = new ArrayList<>(entries.size());
        for (MaturityEntry each : entries) {
            if (!blockHashes.contains(each.blockHash)) {
                changed.add(each);
                continue;
            }
            if (each.isFinalAt(tipHeight) || each.state == State.MATURE) {
                throw new PayoutRuleException(
                        "disconnect would reverse matured payout entry for block " + each.blockHash);
            }
            changed.add(each.withState(State.REVERSED));
        }
        return changed;
    }

    /**
     * Sums what is owed to miners: gross minus on-chain over entries that are not reversed, pool accounts left out.
     *
     * @param entries the entries
     * @return one balance for each program that is not zero, ordered by lower-case program
     */
    public static List<PriorBalance> currentBalances(List<MaturityEntry> entries) {
        Map<String, PriorBalance> balances = new TreeMap<>(Utf8Order.COMPARATOR);
        for (MaturityEntry each : entries) {
            PayoutAccount account = each.account;
            if (each.state == State.REVERSED || account.type() == PayoutAccount.AccountType.POOL_FEE) {
                continue;
            }
            BigInteger delta = U128.ofUnsigned(account.grossAmountSats())
                    .toBigInteger()
                    .subtract(U128.ofUnsigned(account.onchainAmountSats()).toBigInteger());
            balances.merge(
                    account.identity().programKey(),
                    PriorBalance.of(account.identity(), delta),
                    (first, later) -> PriorBalance.of(
                            CarryForward.mergedIdentity(first.identity(), later.identity()),
                            PolicyErrors.checked(first.balanceSats().add(later.balanceSats()))));
        }
        return balances.values().stream()
                .filter(balance -> balance.balanceSats().signum() != 0)
                .toList();
    }

    /**
     * Returns the balances to show as owed: those of {@link #currentBalances} with debts shown as 0.
     *
     * @param entries the entries
     * @return the balances, ordered by lower-case program
     */
    public static List<PriorBalance> owedBalances(List<MaturityEntry> entries) {
        return currentBalances(entries).stream()
                .map(each -> PriorBalance.of(each.identity(), each.balanceSats().max(BigInteger.ZERO)))
                .toList();
    }

    private boolean isFinalAt(long tipHeight) {
        long finalHeight = blockHeight + COINBASE_MATURITY;
        if (Long.compareUnsigned(finalHeight, blockHeight) < 0) {
            finalHeight = -1; // saturates at 2^64 - 1
        }
        return Long.compareUnsigned(finalHeight, tipHeight) <= 0;
    }

    private MaturityEntry withState(State next) {
        return new MaturityEntry(blockHash, blockHeight, account, next);
    }

    /**
     * Writes the entry as an object.
     *
     * @param out the writer
     */
    public void write(CanonicalWriter out) {
        out.beginObject();
        out.member(BLOCK_HASH, blockHash);
        out.member(BLOCK_HEIGHT, blockHeight);
        account.writeMembers(out);
        out.member(STATE, state.text());
        out.endObject();
    }
}
