package org.prismpool.sharewriter.postgres;

import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_AUDIT_BUNDLES;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_BLOCKS;

import java.math.BigDecimal;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.read.FoundBlock;
import org.prismpool.sharewriter.read.FoundBlocks;
import org.prismpool.sharewriter.read.PageRequest;
import org.prismpool.sharewriter.read.Paged;

/** Landed blocks with their solvers. */
final class PostgresFoundBlocks implements FoundBlocks {

    /** Literal, as in the predicate of the index that holds them in order. */
    static final Condition SHOWN = QBIT_POOL_BLOCKS.CHAIN_STATE.ne(DSL.inline("reversed"));

    private static final PageRequest FIRST = new PageRequest(1, 1);

    private static final Field<String> HASH = cut(QBIT_POOL_BLOCKS.BLOCK_HASH);
    private static final Field<Long> HEIGHT = cut(QBIT_POOL_BLOCKS.BLOCK_HEIGHT);
    private static final Field<OffsetDateTime> FOUND_AT = cut(QBIT_POOL_BLOCKS.FOUND_AT);
    private static final Field<String> MANIFEST = cut(QBIT_POOL_BLOCKS.PAYOUT_MANIFEST_SHA256);

    // The facts of a bundle that an older release stored inline may be inside its body only.
    private static final Field<BigDecimal> DIFFICULTY =
            fact(QBIT_POOL_AUDIT_BUNDLES.FOUND_BLOCK_NETWORK_DIFFICULTY, "network_difficulty", SQLDataType.NUMERIC);
    private static final Field<String> BITS = fact(QBIT_POOL_AUDIT_BUNDLES.FOUND_BLOCK_BITS, "bits", SQLDataType.CLOB);
    private static final Field<Long> COINBASE_VALUE =
            fact(QBIT_POOL_AUDIT_BUNDLES.FOUND_BLOCK_COINBASE_VALUE_SATS, "coinbase_value_sats", SQLDataType.BIGINT);

    private final Transactions transactions;

    PostgresFoundBlocks(Transactions transactions) {
        this.transactions = transactions;
    }

    private static <T> Field<T> cut(Field<T> column) {
        return DSL.field(DSL.name("cut", column.getName()), column.getDataType());
    }

    private static <T> Field<T> fact(Field<?> column, String name, org.jooq.DataType<T> type) {
        Field<String> text = DSL.field(
                "coalesce({0}::text, {1} #>> array['found_block', {2}])",
                SQLDataType.CLOB, column, QBIT_POOL_AUDIT_BUNDLES.AUDIT_BUNDLE, DSL.inline(name));
        return text.cast(type).as("fact_" + name);
    }

    @Override
    public Paged<FoundBlock> page(PageRequest page, Deadline deadline) {
        return transactions.read(deadline, sql -> new Paged<>(count(sql), rows(sql, page)));
    }

    @Override
    public Optional<FoundBlock> latest(Deadline deadline) {
        return transactions.read(deadline, PostgresFoundBlocks::latest);
    }

    static Optional<FoundBlock> latest(DSLContext sql) {
        return rows(sql, FIRST).stream().findFirst();
    }

    static long count(DSLContext sql) {
        return sql.fetchCount(QBIT_POOL_BLOCKS, SHOWN);
    }

    /** Cuts the page before anything is looked up for its blocks. */
    private static List<FoundBlock> rows(DSLContext sql, PageRequest page) {
        Table<?> cut = DSL.select(
                        QBIT_POOL_BLOCKS.BLOCK_HASH,
                        QBIT_POOL_BLOCKS.BLOCK_HEIGHT,
                        QBIT_POOL_BLOCKS.FOUND_AT,
                        QBIT_POOL_BLOCKS.PAYOUT_MANIFEST_SHA256)
                .from(QBIT_POOL_BLOCKS)
                .where(SHOWN)
                .orderBy(
                        QBIT_POOL_BLOCKS.BLOCK_HEIGHT.desc(),
                        QBIT_POOL_BLOCKS.FOUND_AT.desc(),
                        QBIT_POOL_BLOCKS.BLOCK_HASH)
                .limit(DSL.inline(page.limit())) // known to every plan, as it decides how blocks are joined
                .offset(page.offset())
                .asTable("cut");
        return sql.select(HASH, HEIGHT, FOUND_AT, MANIFEST)
                .select(QBIT_POOL_AUDIT_BUNDLES.AUDIT_BUNDLE_SHA256, DIFFICULTY, BITS, COINBASE_VALUE)
                .select(Solvers.FIELDS)
                .from(cut)
                .leftJoin(QBIT_POOL_AUDIT_BUNDLES)
                .on(QBIT_POOL_AUDIT_BUNDLES.BLOCK_HASH.eq(HASH))
                .leftJoin(Solvers.of(HASH))
                .on(DSL.trueCondition())
                .orderBy(HEIGHT.desc(), FOUND_AT.desc(), HASH)
                .fetch(PostgresFoundBlocks::block);
    }

    private static FoundBlock block(Record row) {
        @Nullable Long coinbaseValue = row.get(COINBASE_VALUE);
        return new FoundBlock(
                row.get(HEIGHT),
                row.get(HASH),
                row.get(FOUND_AT).toInstant(),
                Optional.ofNullable(row.get(DIFFICULTY)).map(Rows::whole),
                Optional.ofNullable(row.get(BITS)),
                coinbaseValue == null ? OptionalLong.empty() : OptionalLong.of(coinbaseValue),
                Solvers.read(row),
                Optional.ofNullable(row.get(QBIT_POOL_AUDIT_BUNDLES.AUDIT_BUNDLE_SHA256)),
                row.get(MANIFEST));
    }
}
