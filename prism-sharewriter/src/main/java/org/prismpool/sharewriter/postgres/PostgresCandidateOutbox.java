package org.prismpool.sharewriter.postgres;

import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_BLOCK_CANDIDATE_OUTBOX;
import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_POOL_BLOCKS;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jooq.SelectOnConditionStep;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.BlockMismatchException;
import org.prismpool.sharewriter.CandidateState;
import org.prismpool.sharewriter.LedgerMetrics.CallClass;
import org.prismpool.sharewriter.OutboxIntent;
import org.prismpool.sharewriter.block.CandidateInsert;
import org.prismpool.sharewriter.block.CandidateOutboxRows;
import org.prismpool.sharewriter.block.CandidateRow;
import org.prismpool.sharewriter.block.ChainState;
import org.prismpool.sharewriter.block.OutboxGauges;
import org.prismpool.sharewriter.block.OutboxPosition;
import org.prismpool.sharewriter.internal.schema.tables.records.QbitBlockCandidateOutboxRecord;
import org.prismpool.sharewriter.lease.WriterFence;

/** Durable block candidates. */
final class PostgresCandidateOutbox implements CandidateOutboxRows {

    private static final Condition PENDING = QBIT_BLOCK_CANDIDATE_OUTBOX.STATE.eq(CandidateState.PENDING.text());

    private final Optional<WriterFence> fence;
    private final Transactions transactions;

    PostgresCandidateOutbox(Optional<WriterFence> fence, Transactions transactions) {
        this.fence = fence;
        this.transactions = transactions;
    }

    @Override
    public CandidateInsert insert(OutboxIntent intent, Deadline deadline) {
        return transactions.fenced(CallClass.FAST, fence, deadline, sql -> insert(sql, intent));
    }

    private static CandidateInsert insert(DSLContext sql, OutboxIntent intent) {
        var table = QBIT_BLOCK_CANDIDATE_OUTBOX;
        int inserted = sql.insertInto(table)
                .set(table.BLOCK_HASH, intent.blockHash())
                .set(table.CANDIDATE, JSONB.valueOf(intent.intentJson()))
                .set(table.CANDIDATE_SHA256, intent.sha256())
                .onConflictDoNothing()
                .execute();
        if (inserted == 1) {
            return new CandidateInsert(true, CandidateState.PENDING);
        }
        QbitBlockCandidateOutboxRecord row = sql.selectFrom(table)
                .where(table.BLOCK_HASH.eq(intent.blockHash()))
                .fetchSingle();
        if (!row.getCandidateSha256().equals(intent.sha256())) {
            throw new BlockMismatchException("block candidate payload mismatch");
        }
        return new CandidateInsert(false, CandidateState.ofText(row.getState()));
    }

    @Override
    public boolean attempted(String blockHash, Deadline deadline) {
        var table = QBIT_BLOCK_CANDIDATE_OUTBOX;
        return transactions.fenced(
                CallClass.FAST,
                fence,
                deadline,
                sql -> sql.update(table)
                                .set(table.ATTEMPT_COUNT, table.ATTEMPT_COUNT.plus(1))
                                .set(table.UPDATED_AT, DbTime.now())
                                .where(table.BLOCK_HASH.eq(lower(blockHash)))
                                .and(PENDING)
                                .execute()
                        == 1);
    }

    @Override
    public boolean finish(String blockHash, CandidateState state, String error, Deadline deadline) {
        if (!state.terminal()) {
            throw new IllegalArgumentException("a candidate finishes as submitted or abandoned");
        }
        return transactions.fenced(
                CallClass.FAST,
                fence,
                deadline,
                sql -> finish(sql, QBIT_BLOCK_CANDIDATE_OUTBOX.BLOCK_HASH.eq(lower(blockHash)), state, error)
                                .size()
                        == 1);
    }

    @Override
    public Set<String> abandonSuperseded(Collection<String> blockHashes, String error, Deadline deadline) {
        List<String> hashes =
                blockHashes.stream().map(PostgresCandidateOutbox::lower).toList();
        Condition superseded = QBIT_BLOCK_CANDIDATE_OUTBOX
                .BLOCK_HASH
                .eq(DSL.any(hashes.toArray(String[]::new)))
                .andNotExists(DSL.selectOne()
                        .from(QBIT_POOL_BLOCKS)
                        .where(QBIT_POOL_BLOCKS.BLOCK_HASH.eq(QBIT_BLOCK_CANDIDATE_OUTBOX.BLOCK_HASH)));
        return new HashSet<>(transactions.fenced(
                CallClass.FAST, fence, deadline, sql -> finish(sql, superseded, CandidateState.ABANDONED, error)));
    }

    private static List<String> finish(DSLContext sql, Condition which, CandidateState state, String error) {
        var table = QBIT_BLOCK_CANDIDATE_OUTBOX;
        return sql.update(table)
                .set(table.STATE, state.text())
                .set(table.LAST_ERROR, error.isEmpty() ? null : error)
                .set(table.COMPLETED_AT, DbTime.now())
                .set(table.UPDATED_AT, DbTime.now())
                .setNull(table.CANDIDATE)
                .where(which)
                .and(PENDING)
                .returningResult(table.BLOCK_HASH)
                .fetch(table.BLOCK_HASH);
    }

    @Override
    public List<CandidateRow> pending(OutboxPosition after, int limit, Deadline deadline) {
        var table = QBIT_BLOCK_CANDIDATE_OUTBOX;
        return transactions.blockRead(CallClass.FAST, deadline, sql -> {
            Condition from = after.equals(OutboxPosition.START)
                    ? DSL.noCondition()
                    : DSL.row(table.CREATED_AT, table.BLOCK_HASH)
                            .gt(Rows.timeOfMicros(after.createdAtMicros()), after.blockHash());
            return select(sql)
                    .where(PENDING)
                    .and(from)
                    .orderBy(table.CREATED_AT, table.BLOCK_HASH)
                    .limit(limit)
                    .fetch(PostgresCandidateOutbox::row);
        });
    }

    @Override
    public Optional<CandidateRow> find(String blockHash, Deadline deadline) {
        var table = QBIT_BLOCK_CANDIDATE_OUTBOX;
        return transactions.blockRead(
                CallClass.FAST,
                deadline,
                sql -> select(sql)
                        .where(table.BLOCK_HASH.eq(lower(blockHash)))
                        .fetchOptional(PostgresCandidateOutbox::row));
    }

    /** Candidates with what became of their blocks. */
    private static SelectOnConditionStep<? extends Record> select(DSLContext sql) {
        var table = QBIT_BLOCK_CANDIDATE_OUTBOX;
        return sql.select(table.asterisk(), QBIT_POOL_BLOCKS.CHAIN_STATE)
                .from(table)
                .leftJoin(QBIT_POOL_BLOCKS)
                .on(QBIT_POOL_BLOCKS.BLOCK_HASH.eq(table.BLOCK_HASH));
    }

    private static CandidateRow row(Record joined) {
        QbitBlockCandidateOutboxRecord row = joined.into(QBIT_BLOCK_CANDIDATE_OUTBOX);
        @Nullable JSONB intent = row.getCandidate();
        return new CandidateRow(
                new OutboxPosition(Rows.micros(row.getCreatedAt()), row.getBlockHash()),
                Optional.ofNullable(row.getShareId()),
                Optional.ofNullable(intent).map(JSONB::data),
                row.getCandidateSha256(),
                CandidateState.ofText(row.getState()),
                row.getAttemptCount(),
                Optional.ofNullable(row.getLastError()),
                Optional.ofNullable(joined.get(QBIT_POOL_BLOCKS.CHAIN_STATE)).map(ChainState::ofText));
    }

    @Override
    public OutboxGauges gauges(Set<String> parked, Deadline deadline) {
        var table = QBIT_BLOCK_CANDIDATE_OUTBOX;
        Condition counted = PENDING.and(table.BLOCK_HASH.ne(DSL.all(parked.toArray(String[]::new))));
        return transactions.blockRead(CallClass.FAST, deadline, sql -> {
            var row = sql.select(
                            DSL.count(),
                            DSL.min(table.CREATED_AT),
                            DSL.min(table.CREATED_AT).filterWhere(table.ATTEMPT_COUNT.eq(0)),
                            DbTime.now())
                    .from(table)
                    .where(counted)
                    .fetchSingle();
            return new OutboxGauges(row.value1(), age(row.value2(), row.value4()), age(row.value3(), row.value4()));
        });
    }

    private static Optional<Duration> age(@Nullable OffsetDateTime since, OffsetDateTime now) {
        return Optional.ofNullable(since).map(start -> {
            Duration age = Duration.between(start, now);
            return age.isNegative() ? Duration.ZERO : age;
        });
    }

    private static String lower(String hash) {
        return hash.toLowerCase(Locale.ROOT);
    }
}
