package org.prismpool.sharewriter.postgres;

import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_CARRY_FORWARD_CURRENT_DRIFT;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_PAYOUT_CARRY_FORWARD;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_BLOCKS;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.jooq.Cursor;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.LedgerMetrics.CallClass;
import org.prismpool.sharewriter.P2mrProgram;
import org.prismpool.sharewriter.balance.BalanceRow;
import org.prismpool.sharewriter.balance.CarryChain;
import org.prismpool.sharewriter.balance.CarryDrift;
import org.prismpool.sharewriter.balance.CarryIntegrity;
import org.prismpool.sharewriter.balance.IntegrityReport;
import org.prismpool.sharewriter.internal.schema.Routines;
import org.prismpool.sharewriter.lease.WriterFence;

/** Streams the journal through the chain. */
final class PostgresCarryIntegrity implements CarryIntegrity {

    private static final int FETCH = 2048;

    private final Optional<WriterFence> fence;
    private final Transactions transactions;

    PostgresCarryIntegrity(Optional<WriterFence> fence, Transactions transactions) {
        this.fence = fence;
        this.transactions = transactions;
    }

    @Override
    public IntegrityReport report(Deadline deadline) {
        return transactions.read(deadline, sql -> {
            CarryChain chain = new CarryChain();
            try (Cursor<Record> rows = sql.select(CarryRows.FIELDS)
                    .from(QBIT_PAYOUT_CARRY_FORWARD)
                    .join(QBIT_POOL_BLOCKS)
                    .on(QBIT_POOL_BLOCKS.BLOCK_HASH.eq(QBIT_PAYOUT_CARRY_FORWARD.BLOCK_HASH))
                    .where(CarryRows.ACTIVE)
                    .orderBy(QBIT_PAYOUT_CARRY_FORWARD.BLOCK_HEIGHT, QBIT_PAYOUT_CARRY_FORWARD.CARRY_FORWARD_SEQ)
                    .fetchSize(FETCH)
                    .fetchLazy()) {
                for (Record row : rows) {
                    chain.add(CarryRows.read(row));
                }
            }
            return chain.report(drift(sql));
        });
    }

    private static List<CarryDrift> drift(DSLContext sql) {
        var drift = QBIT_CARRY_FORWARD_CURRENT_DRIFT;
        return sql.selectFrom(drift.call()).fetch(row -> {
            P2mrProgram program = P2mrProgram.of(row.get(drift.P2MR_PROGRAM));
            return new CarryDrift(
                    program,
                    balance(
                            program,
                            row.get(drift.CURRENT_MINER_ID),
                            row.get(drift.CURRENT_PAYOUT_ORDER_KEY),
                            row.get(drift.CURRENT_BALANCE_SATS)),
                    balance(
                            program,
                            row.get(drift.RECOMPUTED_MINER_ID),
                            row.get(drift.RECOMPUTED_PAYOUT_ORDER_KEY),
                            row.get(drift.RECOMPUTED_BALANCE_SATS)));
        });
    }

    private static Optional<BalanceRow> balance(
            P2mrProgram program, @Nullable String minerId, @Nullable String orderKey, @Nullable BigDecimal sats) {
        if (minerId == null || orderKey == null || sats == null) {
            return Optional.empty();
        }
        return Optional.of(new BalanceRow(minerId, orderKey, program, Rows.whole(sats)));
    }

    @Override
    public long rebuild(Deadline deadline) {
        return transactions.fenced(
                CallClass.LANDING,
                fence,
                deadline,
                sql -> Routines.qbitRebuildCarryForwardCurrentBalances(sql.configuration()));
    }
}
