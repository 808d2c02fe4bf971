package org.prismpool.sharewriter.postgres;

import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_BLOCKS;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.OptionalLong;
import org.jooq.Field;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;
import org.prismpool.sharewriter.block.ChainState;
import org.prismpool.sharewriter.block.MaturityState;
import org.prismpool.sharewriter.block.PoolBlock;

/** Maps columns to the ledger's values. */
final class Rows {

    static final List<Field<?>> BLOCK = List.of(
            QBIT_POOL_BLOCKS.BLOCK_HASH,
            QBIT_POOL_BLOCKS.BLOCK_HEIGHT,
            QBIT_POOL_BLOCKS.PARENT_HASH,
            QBIT_POOL_BLOCKS.COINBASE_TXID,
            QBIT_POOL_BLOCKS.PAYOUT_MANIFEST_SHA256,
            QBIT_POOL_BLOCKS.FOUND_AT,
            QBIT_POOL_BLOCKS.CHAIN_STATE,
            QBIT_POOL_BLOCKS.MATURITY_STATE,
            QBIT_POOL_BLOCKS.AUDIT_PUBLICATION_SEQUENCE);

    private Rows() {}

    static PoolBlock block(Record row) {
        @Nullable Long sequence = row.get(QBIT_POOL_BLOCKS.AUDIT_PUBLICATION_SEQUENCE);
        return new PoolBlock(
                row.get(QBIT_POOL_BLOCKS.BLOCK_HASH),
                row.get(QBIT_POOL_BLOCKS.BLOCK_HEIGHT),
                row.get(QBIT_POOL_BLOCKS.PARENT_HASH),
                row.get(QBIT_POOL_BLOCKS.COINBASE_TXID),
                row.get(QBIT_POOL_BLOCKS.PAYOUT_MANIFEST_SHA256),
                millis(row.get(QBIT_POOL_BLOCKS.FOUND_AT)),
                ChainState.ofText(row.get(QBIT_POOL_BLOCKS.CHAIN_STATE)),
                MaturityState.ofText(row.get(QBIT_POOL_BLOCKS.MATURITY_STATE)),
                sequence == null ? OptionalLong.empty() : OptionalLong.of(sequence));
    }

    /** Rounds to milliseconds, as the contract reads time back. */
    static long millis(OffsetDateTime time) {
        return Math.floorDiv(micros(time) + 500, 1000L);
    }

    static long micros(OffsetDateTime time) {
        Instant instant = time.toInstant();
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1000);
    }

    static OffsetDateTime time(long epochMs) {
        return Instant.ofEpochMilli(epochMs).atOffset(ZoneOffset.UTC);
    }

    static OffsetDateTime timeOfMicros(long epochMicros) {
        return Instant.ofEpochSecond(
                        Math.floorDiv(epochMicros, 1_000_000L), Math.floorMod(epochMicros, 1_000_000L) * 1000)
                .atOffset(ZoneOffset.UTC);
    }

    /** Results of functions are plain numeric: whole numbers by contract. */
    static BigInteger whole(BigDecimal value) {
        return value.toBigIntegerExact();
    }
}
