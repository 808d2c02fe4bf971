package org.prismpool.sharewriter.postgres;

import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_CTV_FANOUT_ARTIFACTS;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_PAYOUT_CARRY_FORWARD;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_BLOCKS;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_PAYOUT_ENTRIES;

import java.math.BigDecimal;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;
import org.prismpool.sharewriter.block.MaturityState;
import org.prismpool.sharewriter.block.PayoutAction;
import org.prismpool.sharewriter.internal.CovenantOutputs;
import org.prismpool.sharewriter.read.MinerEarning;
import org.prismpool.sharewriter.read.MinerPayout;
import org.prismpool.sharewriter.read.MinerPayout.CovenantOutput;
import org.prismpool.sharewriter.read.PageRequest;
import org.prismpool.sharewriter.read.Paged;

/** What a miner earned and was paid, block by block, along the indexes of one miner's rows. */
final class MinerHistory {

    private static final String CUT = "cut";

    /**
     * A literal. As a parameter it would hide the indexes' predicate, and let a plan that serves any parameter expect no
     * block at all and walk the table of blocks.
     */
    private static final Field<String> REVERSED = DSL.inline("reversed");

    private static final Condition STANDING =
            QBIT_POOL_BLOCKS.CHAIN_STATE.ne(REVERSED).and(QBIT_POOL_BLOCKS.MATURITY_STATE.ne(REVERSED));

    /** Output of the account that the variables name; the first, and the database need not unfold the others. */
    private static final String FIRST_OUTPUT = "jsonb_path_query_first({0}, '$.precommitment.outputs[*] ?"
            + " (@.recipient_id == $r && @.order_key == $o && @.p2mr_program_hex == $p)',"
            + " jsonb_build_object('r', {1}, 'o', {2}, 'p', encode({3}, 'hex')))";

    private static final Field<String> COVENANT_TXID = DSL.field(DSL.name("covenant", "fanout_txid"), SQLDataType.CLOB);
    private static final Field<JSONB> COVENANT_OUTPUT = DSL.field(DSL.name("covenant", "output"), SQLDataType.JSONB);

    private MinerHistory() {}

    /** Journal rows that stand, joined with their blocks. */
    static Condition earned(String recipientId) {
        return QBIT_PAYOUT_CARRY_FORWARD
                .MINER_ID
                .eq(recipientId)
                .and(QBIT_PAYOUT_CARRY_FORWARD.MATURITY_STATE.ne(REVERSED))
                .and(STANDING);
    }

    private static Condition paid(String recipientId) {
        return QBIT_POOL_PAYOUT_ENTRIES
                .MINER_ID
                .eq(recipientId)
                .and(QBIT_POOL_PAYOUT_ENTRIES.MATURITY_STATE.ne(REVERSED))
                .and(STANDING);
    }

    static Paged<MinerEarning> earnings(DSLContext sql, String recipientId, PageRequest page) {
        var carry = QBIT_PAYOUT_CARRY_FORWARD;
        var all = carry.as("of_block");
        Table<?> joined = carry.join(QBIT_POOL_BLOCKS).on(QBIT_POOL_BLOCKS.BLOCK_HASH.eq(carry.BLOCK_HASH));
        Field<BigDecimal> blockGross = DSL.field(
                        DSL.select(DSL.sum(all.GROSS_AMOUNT_SATS)).from(all).where(all.BLOCK_HASH.eq(carry.BLOCK_HASH)))
                .as("block_gross");
        long count = sql.fetchCount(joined, earned(recipientId));
        return new Paged<>(
                count,
                sql.select(
                                carry.BLOCK_HEIGHT,
                                QBIT_POOL_BLOCKS.BLOCK_HASH,
                                QBIT_POOL_BLOCKS.FOUND_AT,
                                carry.GROSS_AMOUNT_SATS,
                                carry.SETTLEMENT_FEE_SATS,
                                carry.MATURITY_STATE,
                                blockGross)
                        .from(joined)
                        .where(earned(recipientId))
                        .orderBy(carry.BLOCK_HEIGHT.desc(), carry.CARRY_FORWARD_SEQ.desc())
                        .limit(DSL.inline(page.limit()))
                        .offset(page.offset())
                        .fetch(row -> new MinerEarning(
                                row.get(carry.BLOCK_HEIGHT),
                                row.get(QBIT_POOL_BLOCKS.BLOCK_HASH),
                                row.get(QBIT_POOL_BLOCKS.FOUND_AT).toInstant(),
                                row.get(carry.GROSS_AMOUNT_SATS),
                                Rows.whole(row.get(blockGross)),
                                row.get(carry.SETTLEMENT_FEE_SATS),
                                MaturityState.ofText(row.get(carry.MATURITY_STATE)))));
    }

    /** Cuts the page first: only its rows are looked up in manifests. */
    static Paged<MinerPayout> payouts(DSLContext sql, String recipientId, PageRequest page) {
        var entries = QBIT_POOL_PAYOUT_ENTRIES;
        Table<?> joined = entries.join(QBIT_POOL_BLOCKS).on(QBIT_POOL_BLOCKS.BLOCK_HASH.eq(entries.BLOCK_HASH));
        long count = sql.fetchCount(joined, paid(recipientId));
        Table<?> cut = DSL.select(entries.fields())
                .select(QBIT_POOL_BLOCKS.COINBASE_TXID)
                .from(joined)
                .where(paid(recipientId))
                .orderBy(entries.BLOCK_HEIGHT.desc(), entries.PAYOUT_ENTRY_SEQ.desc())
                .limit(DSL.inline(page.limit()))
                .offset(page.offset())
                .asTable(CUT);
        return new Paged<>(
                count,
                sql.select(cut.fields())
                        .select(COVENANT_TXID, COVENANT_OUTPUT)
                        .from(cut)
                        .leftJoin(covenant())
                        .on(DSL.trueCondition())
                        .orderBy(
                                cut(entries.BLOCK_HEIGHT).desc(),
                                cut(entries.PAYOUT_ENTRY_SEQ).desc())
                        .fetch(MinerHistory::payout));
    }

    private static <T> Field<T> cut(Field<T> column) {
        return DSL.field(DSL.name(CUT, column.getName()), column.getDataType());
    }

    /** Output that pays an entry of the page, at most one row. */
    private static Table<?> covenant() {
        var entries = QBIT_POOL_PAYOUT_ENTRIES;
        var artifacts = QBIT_CTV_FANOUT_ARTIFACTS;
        Field<JSONB> output = DSL.field(
                FIRST_OUTPUT,
                SQLDataType.JSONB,
                artifacts.MANIFEST,
                cut(entries.MINER_ID),
                cut(entries.PAYOUT_ORDER_KEY),
                cut(entries.P2MR_PROGRAM));
        return DSL.lateral(DSL.select(artifacts.FANOUT_TXID, output.as("output"))
                .from(artifacts)
                .where(artifacts.BLOCK_HASH.eq(cut(entries.BLOCK_HASH)))
                .and(cut(entries.ACTION).eq(DSL.inline("onchain")))
                .and(output.isNotNull())
                .orderBy(artifacts.CHUNK_INDEX)
                .limit(DSL.inline(1))
                .asTable("covenant"));
    }

    private static MinerPayout payout(Record row) {
        var entries = QBIT_POOL_PAYOUT_ENTRIES;
        return new MinerPayout(
                row.get(cut(entries.BLOCK_HEIGHT)),
                row.get(cut(entries.BLOCK_HASH)),
                row.get(cut(entries.CREATED_AT)).toInstant(),
                row.get(cut(QBIT_POOL_BLOCKS.COINBASE_TXID)),
                row.get(cut(entries.ONCHAIN_AMOUNT_SATS)),
                row.get(cut(entries.CARRY_FORWARD_BALANCE_SATS)),
                PayoutAction.ofText(row.get(cut(entries.ACTION))),
                MaturityState.ofText(row.get(cut(entries.MATURITY_STATE))),
                covenantOutput(row));
    }

    private static Optional<CovenantOutput> covenantOutput(Record row) {
        @Nullable String txid = row.get(COVENANT_TXID);
        @Nullable JSONB output = row.get(COVENANT_OUTPUT);
        return txid == null || output == null
                ? Optional.empty()
                : Optional.of(CovenantOutputs.read(txid, output.data()));
    }
}
