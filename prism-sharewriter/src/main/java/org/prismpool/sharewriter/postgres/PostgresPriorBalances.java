package org.prismpool.sharewriter.postgres;

import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_CURRENT_CARRY_FORWARD_BALANCES;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_PAYOUT_CARRY_FORWARD;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_BLOCKS;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.P2mrProgram;
import org.prismpool.sharewriter.balance.BalanceRow;
import org.prismpool.sharewriter.balance.PriorBalances;
import org.prismpool.sharewriter.block.ChainState;

/** Carried balances from the maintained summary. */
final class PostgresPriorBalances implements PriorBalances {

    private final Transactions transactions;

    PostgresPriorBalances(Transactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public List<BalanceRow> current(Deadline deadline) {
        long start = System.nanoTime();
        List<BalanceRow> rows = transactions.read(deadline, PostgresPriorBalances::current);
        transactions.metrics().priorBalancesRead(Duration.ofNanos(System.nanoTime() - start));
        return rows;
    }

    @Override
    public List<BalanceRow> owed(Deadline deadline) {
        return transactions.read(
                deadline,
                sql -> current(sql).stream()
                        .filter(row -> row.balanceSats().signum() > 0)
                        .toList());
    }

    static List<BalanceRow> current(DSLContext sql) {
        var balances = QBIT_CURRENT_CARRY_FORWARD_BALANCES;
        return sql.select(balances.MINER_ID, balances.PAYOUT_ORDER_KEY, balances.P2MR_PROGRAM, balances.BALANCE_SATS)
                .from(balances.call())
                .orderBy(balances.PAYOUT_ORDER_KEY, balances.MINER_ID, balances.P2MR_PROGRAM)
                .fetch(row -> new BalanceRow(
                        row.value1(), row.value2(), P2mrProgram.of(row.value3()), Rows.whole(row.value4())));
    }

    @Override
    public List<BalanceRow> asOf(String blockHash, Deadline deadline) {
        return transactions.read(deadline, sql -> asOf(sql, blockHash.toLowerCase(Locale.ROOT)));
    }

    private static List<BalanceRow> asOf(DSLContext sql, String blockHash) {
        @Nullable Long height = sql.select(QBIT_POOL_BLOCKS.BLOCK_HEIGHT)
                .from(QBIT_POOL_BLOCKS)
                .where(QBIT_POOL_BLOCKS.BLOCK_HASH.eq(blockHash))
                .and(QBIT_POOL_BLOCKS.CHAIN_STATE.eq(ChainState.CONFIRMED.text()))
                .fetchOne(QBIT_POOL_BLOCKS.BLOCK_HEIGHT);
        if (height == null) {
            throw new IllegalArgumentException("block is not confirmed in the ledger: " + blockHash);
        }
        var carry = QBIT_PAYOUT_CARRY_FORWARD;
        Field<BigDecimal> balance =
                DSL.sum(carry.GROSS_AMOUNT_SATS.cast(SQLDataType.NUMERIC).minus(carry.ONCHAIN_AMOUNT_SATS));
        Field<String> miner = firstLabel(carry.MINER_ID);
        Field<String> orderKey = firstLabel(carry.PAYOUT_ORDER_KEY);
        return sql.select(miner, orderKey, carry.P2MR_PROGRAM, balance)
                .from(carry)
                .join(QBIT_POOL_BLOCKS)
                .on(QBIT_POOL_BLOCKS.BLOCK_HASH.eq(carry.BLOCK_HASH))
                .where(CarryRows.ACTIVE)
                .and(QBIT_POOL_BLOCKS.BLOCK_HEIGHT.le(height))
                .groupBy(carry.P2MR_PROGRAM)
                .having(balance.ne(BigDecimal.ZERO))
                .orderBy(orderKey, miner, carry.P2MR_PROGRAM)
                .fetch(row -> new BalanceRow(
                        row.value1(), row.value2(), P2mrProgram.of(row.value3()), Rows.whole(row.value4())));
    }

    /** Label of a program: the value that belongs to the first row by order key and miner id. */
    private static Field<String> firstLabel(Field<String> label) {
        return DSL.field(
                "({0})[1]",
                String.class,
                DSL.arrayAgg(label)
                        .orderBy(QBIT_PAYOUT_CARRY_FORWARD.PAYOUT_ORDER_KEY, QBIT_PAYOUT_CARRY_FORWARD.MINER_ID));
    }
}
