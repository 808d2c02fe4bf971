package org.prismpool.sharewriter.postgres;

import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_PAYOUT_CARRY_FORWARD;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_BLOCKS;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_SHARE_LEDGER;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.read.PoolStatistics;
import org.prismpool.sharewriter.read.PoolTotals;
import org.prismpool.sharewriter.read.RateWindow;

/** Totals of the pool and work over time. */
final class PostgresPoolStatistics implements PoolStatistics {

    private final Transactions transactions;

    PostgresPoolStatistics(Transactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public PoolTotals totals(Deadline deadline) {
        return transactions.read(deadline, sql -> {
            OffsetDateTime asOf = DbTime.read(sql);
            return new PoolTotals(
                    AcceptedShares.work(sql, asOf, DSL.noCondition()),
                    participants(sql, asOf),
                    PostgresFoundBlocks.count(sql),
                    mined(sql),
                    PostgresFoundBlocks.latest(sql));
        });
    }

    /** Counted apart: a distinct count beside the sums would sort the shares of a whole day. */
    private static long participants(DSLContext sql, OffsetDateTime asOf) {
        return sql.fetchCount(DSL.selectDistinct(QBIT_SHARE_LEDGER.MINER_ID)
                .from(QBIT_SHARE_LEDGER)
                .where(AcceptedShares.within(asOf, RateWindow.H3)));
    }

    private static BigInteger mined(DSLContext sql) {
        var carry = QBIT_PAYOUT_CARRY_FORWARD;
        @Nullable BigDecimal gross = sql.select(DSL.sum(carry.GROSS_AMOUNT_SATS))
                .from(carry)
                .join(QBIT_POOL_BLOCKS)
                .on(QBIT_POOL_BLOCKS.BLOCK_HASH.eq(carry.BLOCK_HASH))
                .where(QBIT_POOL_BLOCKS.CHAIN_STATE.eq(DSL.inline("confirmed")))
                .and(QBIT_POOL_BLOCKS.MATURITY_STATE.ne(DSL.inline("reversed")))
                .and(carry.MATURITY_STATE.ne(DSL.inline("reversed")))
                .fetchSingle()
                .value1();
        return gross == null ? BigInteger.ZERO : Rows.whole(gross);
    }

    @Override
    public List<SeriesBucket> series(SeriesSubject subject, SeriesRange range, Deadline deadline) {
        // Inline: a parameter in the selection and one in the grouping would be two different expressions.
        Field<Long> bucket = DSL.field(
                "floor(extract(epoch from {0}) / {1})::bigint * {1}",
                SQLDataType.BIGINT, QBIT_SHARE_LEDGER.ACCEPTED_AT, DSL.inline(range.bucketSeconds()));
        Condition whose = subject instanceof MinerSubject miner
                ? QBIT_SHARE_LEDGER.MINER_ID.eq(miner.recipientId())
                : DSL.noCondition();
        OffsetDateTime from = range.from().atOffset(ZoneOffset.UTC);
        return transactions.read(
                deadline,
                sql -> sql.select(bucket, AcceptedShares.COUNT, AcceptedShares.DIFFICULTY)
                        .from(QBIT_SHARE_LEDGER)
                        .where(QBIT_SHARE_LEDGER.ACCEPTED)
                        .and(QBIT_SHARE_LEDGER.ACCEPTED_AT.ge(from))
                        .and(QBIT_SHARE_LEDGER.ACCEPTED_AT.le(DbTime.read(sql)))
                        .and(whose)
                        .groupBy(bucket)
                        .orderBy(bucket)
                        .fetch(row -> new SeriesBucket(row.value1(), AcceptedShares.work(row.value2(), row.value3()))));
    }
}
