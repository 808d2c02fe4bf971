package org.prismpool.sharewriter.postgres;

import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_BLOCKS;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_SHARE_LEDGER;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;
import org.prismpool.sharewriter.internal.ShareNames;
import org.prismpool.sharewriter.read.FoundBlock.Solver;

/** The share behind a block: the newest accepted one whose id ends with the block's hash, by the index on that ending. */
final class Solvers {

    private static final String ALIAS = "solver";
    private static final Field<String> MINER = DSL.field(DSL.name(ALIAS, "miner_id"), SQLDataType.CLOB);
    private static final Field<String> SHARE = DSL.field(DSL.name(ALIAS, "share_id"), SQLDataType.CLOB);
    private static final Field<BigInteger> DIFFICULTY =
            DSL.field(DSL.name(ALIAS, "share_difficulty"), SQLDataType.DECIMAL_INTEGER);
    private static final Field<BigInteger> NETWORK =
            DSL.field(DSL.name(ALIAS, "network_difficulty"), SQLDataType.DECIMAL_INTEGER);

    /** Columns of {@link #of}, to be selected beside others of the same names. */
    static final List<Field<?>> FIELDS = List.of(MINER, SHARE, DIFFICULTY, NETWORK);

    private Solvers() {}

    /** Table of at most one row per block, to be joined. */
    static Table<?> of(Field<String> blockHash) {
        // The index's own expression and predicate, or the planner does not know it again.
        Field<String> ending = DSL.field("lower(right({0}, 64))", SQLDataType.CLOB, QBIT_SHARE_LEDGER.SHARE_ID);
        return DSL.lateral(DSL.select(
                        QBIT_SHARE_LEDGER.MINER_ID,
                        QBIT_SHARE_LEDGER.SHARE_ID,
                        QBIT_SHARE_LEDGER.SHARE_DIFFICULTY,
                        QBIT_SHARE_LEDGER.NETWORK_DIFFICULTY)
                .from(QBIT_SHARE_LEDGER)
                .where(QBIT_SHARE_LEDGER.ACCEPTED)
                .and(DSL.condition("length({0}) >= {1}", QBIT_SHARE_LEDGER.SHARE_ID, DSL.inline(ShareNames.SUFFIX)))
                .and(ending.eq(blockHash))
                .orderBy(QBIT_SHARE_LEDGER.ACCEPTED_AT.desc(), QBIT_SHARE_LEDGER.SHARE_SEQ.desc())
                .limit(DSL.inline(1))
                .asTable(ALIAS));
    }

    /** Reads what {@link #FIELDS} selected; nothing for a block without such a share. */
    static Optional<Solver> read(Record row) {
        @Nullable String miner = row.get(MINER);
        @Nullable String share = row.get(SHARE);
        @Nullable BigInteger difficulty = row.get(DIFFICULTY);
        @Nullable BigInteger network = row.get(NETWORK);
        return miner == null || share == null || difficulty == null || network == null
                ? Optional.empty()
                : Optional.of(new Solver(miner, ShareNames.username(share), difficulty, network));
    }

    static Map<String, Long> blocksFound(DSLContext sql) {
        Map<String, Long> found = new HashMap<>();
        sql.select(MINER, AcceptedShares.COUNT)
                .from(QBIT_POOL_BLOCKS)
                .join(of(QBIT_POOL_BLOCKS.BLOCK_HASH))
                .on(DSL.trueCondition())
                .where(PostgresFoundBlocks.SHOWN)
                .groupBy(MINER)
                .forEach(row -> found.put(row.value1(), row.value2()));
        return found;
    }
}
