package org.prismpool.sharewriter.postgres;

import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_CURRENT_OWED_BALANCES;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_PAYOUT_CARRY_FORWARD;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_BLOCKS;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_SHARE_LEDGER;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.internal.WorkerTally;
import org.prismpool.sharewriter.read.MinerAccount;
import org.prismpool.sharewriter.read.MinerActivity;
import org.prismpool.sharewriter.read.MinerEarning;
import org.prismpool.sharewriter.read.MinerPayout;
import org.prismpool.sharewriter.read.MinerReads;
import org.prismpool.sharewriter.read.PageRequest;
import org.prismpool.sharewriter.read.Paged;
import org.prismpool.sharewriter.read.RateWindow;
import org.prismpool.sharewriter.read.WorkerBoard;

/** One miner's pages. */
final class PostgresMinerReads implements MinerReads {

    private final Transactions transactions;

    PostgresMinerReads(Transactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public MinerActivity activity(String recipientId, Deadline deadline) {
        Condition whose = QBIT_SHARE_LEDGER.MINER_ID.eq(recipientId);
        return transactions.read(deadline, sql -> {
            OffsetDateTime asOf = DbTime.read(sql);
            @Nullable OffsetDateTime last = sql.select(DSL.max(QBIT_SHARE_LEDGER.ACCEPTED_AT))
                    .from(QBIT_SHARE_LEDGER)
                    .where(QBIT_SHARE_LEDGER.ACCEPTED)
                    .and(QBIT_SHARE_LEDGER.ACCEPTED_AT.le(asOf))
                    .and(whose)
                    .fetchSingle()
                    .value1();
            return new MinerActivity(
                    AcceptedShares.work(sql, asOf, whose),
                    Optional.ofNullable(last).map(OffsetDateTime::toInstant));
        });
    }

    @Override
    public MinerAccount account(String recipientId, Deadline deadline) {
        return transactions.read(deadline, sql -> account(sql, recipientId));
    }

    private static MinerAccount account(DSLContext sql, String recipientId) {
        var balances = QBIT_CURRENT_OWED_BALANCES.call();
        @Nullable BigDecimal owed = sql.select(DSL.sum(balances.OWED_BALANCE_SATS))
                .from(balances)
                .where(balances.MINER_ID.eq(recipientId))
                .fetchSingle()
                .value1();
        var carry = QBIT_PAYOUT_CARRY_FORWARD;
        Field<Long> paid = DSL.greatest(DSL.inline(0L), carry.ONCHAIN_AMOUNT_SATS.minus(carry.SETTLEMENT_FEE_SATS));
        Condition pending = carry.ACTION
                .eq(DSL.inline("onchain"))
                .and(carry.MATURITY_STATE.eq(DSL.inline("immature")))
                .and(QBIT_POOL_BLOCKS.CHAIN_STATE.eq(DSL.inline("confirmed")))
                .and(QBIT_POOL_BLOCKS.MATURITY_STATE.eq(DSL.inline("immature")));
        var sums = sql.select(DSL.sum(carry.GROSS_AMOUNT_SATS), DSL.sum(paid).filterWhere(pending))
                .from(carry)
                .join(QBIT_POOL_BLOCKS)
                .on(QBIT_POOL_BLOCKS.BLOCK_HASH.eq(carry.BLOCK_HASH))
                .where(MinerHistory.earned(recipientId))
                .fetchSingle();
        return new MinerAccount(whole(owed), whole(sums.value1()), whole(sums.value2()));
    }

    /** A sum over no row is null. */
    private static BigInteger whole(@Nullable BigDecimal sum) {
        return sum == null ? BigInteger.ZERO : Rows.whole(sum);
    }

    @Override
    public Paged<MinerEarning> earnings(String recipientId, PageRequest page, Deadline deadline) {
        return transactions.read(deadline, sql -> MinerHistory.earnings(sql, recipientId, page));
    }

    @Override
    public Paged<MinerPayout> payouts(String recipientId, PageRequest page, Deadline deadline) {
        return transactions.read(deadline, sql -> MinerHistory.payouts(sql, recipientId, page));
    }

    /** One row a username: few, and what they are called is decided in one place for every ledger. */
    @Override
    public WorkerBoard workers(String recipientId, WorkerFilter filter, PageRequest page, Deadline deadline) {
        Field<String> username =
                DSL.field("regexp_replace({0}, ':[^:]*$', '')", SQLDataType.CLOB, QBIT_SHARE_LEDGER.SHARE_ID);
        return transactions.read(deadline, sql -> {
            OffsetDateTime asOf = DbTime.read(sql);
            WorkerTally tally = new WorkerTally(recipientId, asOf.toInstant());
            sql.select(
                            username,
                            DSL.max(QBIT_SHARE_LEDGER.ACCEPTED_AT),
                            AcceptedShares.difficulty(asOf, RateWindow.M1),
                            AcceptedShares.DIFFICULTY)
                    .from(QBIT_SHARE_LEDGER)
                    .where(AcceptedShares.within(asOf, RateWindow.H3))
                    .and(QBIT_SHARE_LEDGER.MINER_ID.eq(recipientId))
                    .groupBy(username)
                    .forEach(row -> tally.add(
                            row.value1(), row.value2().toInstant(), whole(row.value3()), whole(row.value4())));
            return tally.board(filter, page);
        });
    }
}
