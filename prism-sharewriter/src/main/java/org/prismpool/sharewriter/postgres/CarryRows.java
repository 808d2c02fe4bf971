package org.prismpool.sharewriter.postgres;

import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_PAYOUT_CARRY_FORWARD;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_BLOCKS;

import java.util.List;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.prismpool.sharewriter.P2mrProgram;
import org.prismpool.sharewriter.balance.CarryRow;
import org.prismpool.sharewriter.block.ChainState;
import org.prismpool.sharewriter.block.MaturityState;
import org.prismpool.sharewriter.block.PayoutAccount;
import org.prismpool.sharewriter.block.PayoutAction;

/** The accounting journal: which rows count, and their mapping. */
final class CarryRows {

    /** A row counts while neither it nor its block is reversed and the block is confirmed. */
    static final Condition ACTIVE = QBIT_PAYOUT_CARRY_FORWARD
            .MATURITY_STATE
            .ne(MaturityState.REVERSED.text())
            .and(QBIT_POOL_BLOCKS.CHAIN_STATE.eq(ChainState.CONFIRMED.text()))
            .and(QBIT_POOL_BLOCKS.MATURITY_STATE.ne(MaturityState.REVERSED.text()));

    static final List<Field<?>> FIELDS = List.of(
            QBIT_PAYOUT_CARRY_FORWARD.CARRY_FORWARD_SEQ,
            QBIT_PAYOUT_CARRY_FORWARD.BLOCK_HASH,
            QBIT_PAYOUT_CARRY_FORWARD.BLOCK_HEIGHT,
            QBIT_PAYOUT_CARRY_FORWARD.MINER_ID,
            QBIT_PAYOUT_CARRY_FORWARD.PAYOUT_ORDER_KEY,
            QBIT_PAYOUT_CARRY_FORWARD.P2MR_PROGRAM,
            QBIT_PAYOUT_CARRY_FORWARD.GROSS_AMOUNT_SATS,
            QBIT_PAYOUT_CARRY_FORWARD.PRIOR_BALANCE_SATS,
            QBIT_PAYOUT_CARRY_FORWARD.CANDIDATE_BALANCE_SATS,
            QBIT_PAYOUT_CARRY_FORWARD.ONCHAIN_AMOUNT_SATS,
            QBIT_PAYOUT_CARRY_FORWARD.SETTLEMENT_FEE_SATS,
            QBIT_PAYOUT_CARRY_FORWARD.CARRY_FORWARD_BALANCE_SATS,
            QBIT_PAYOUT_CARRY_FORWARD.ACTION,
            QBIT_PAYOUT_CARRY_FORWARD.MATURITY_STATE);

    private CarryRows() {}

    static List<PayoutAccount> ofBlock(DSLContext sql, String blockHash) {
        return sql.select(FIELDS)
                .from(QBIT_PAYOUT_CARRY_FORWARD)
                .where(QBIT_PAYOUT_CARRY_FORWARD.BLOCK_HASH.eq(blockHash))
                .fetch(row -> read(row).account());
    }

    static CarryRow read(Record row) {
        var carry = QBIT_PAYOUT_CARRY_FORWARD;
        return new CarryRow(
                row.get(carry.CARRY_FORWARD_SEQ),
                row.get(carry.BLOCK_HASH),
                row.get(carry.BLOCK_HEIGHT),
                new PayoutAccount(
                        row.get(carry.MINER_ID),
                        row.get(carry.PAYOUT_ORDER_KEY),
                        P2mrProgram.of(row.get(carry.P2MR_PROGRAM)),
                        row.get(carry.GROSS_AMOUNT_SATS),
                        row.get(carry.PRIOR_BALANCE_SATS),
                        row.get(carry.CANDIDATE_BALANCE_SATS),
                        row.get(carry.ONCHAIN_AMOUNT_SATS),
                        row.get(carry.SETTLEMENT_FEE_SATS),
                        row.get(carry.CARRY_FORWARD_BALANCE_SATS),
                        PayoutAction.ofText(row.get(carry.ACTION))),
                MaturityState.ofText(row.get(carry.MATURITY_STATE)));
    }
}
