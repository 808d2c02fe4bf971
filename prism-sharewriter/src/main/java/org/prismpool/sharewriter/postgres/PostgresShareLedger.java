package org.prismpool.sharewriter.postgres;

import static org.prismpool.sharewriter.internal.schema.Tables.QBIT_SHARE_LEDGER;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.Record3;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.AppendResult;
import org.prismpool.sharewriter.AppendResult.ConflictKind;
import org.prismpool.sharewriter.CandidateState;
import org.prismpool.sharewriter.PendingShare;
import org.prismpool.sharewriter.ShareLedger;
import org.prismpool.sharewriter.ShareTotals;
import org.prismpool.sharewriter.StoredShare;
import org.prismpool.sharewriter.WriterFencedException;
import org.prismpool.sharewriter.lease.WriterFence;

/** The share log on PostgreSQL. */
final class PostgresShareLedger implements ShareLedger {

    private final Optional<WriterFence> fence;
    private final WriterConnection writer;
    private final Transactions transactions;
    private final DirectAppend direct = new DirectAppend();

    PostgresShareLedger(Optional<WriterFence> fence, WriterConnection writer, Transactions transactions) {
        this.fence = fence;
        this.writer = writer;
        this.transactions = transactions;
    }

    @Override
    public List<AppendResult> append(List<AppendEntry> batch) {
        WriterFence open = Transactions.open(fence);
        return writer.transaction(connection -> {
            Optional<List<AppendResult>> committed = direct.append(connection, open, batch);
            return committed.isPresent() ? committed.get() : append(connection, open, batch);
        });
    }

    /**
     * Decides first and writes after: nothing of a conflicting entry may be written, and a replay consumes no sequence.
     * The fence makes this session the only writer, so what was read here still holds at the insert.
     */
    private List<AppendResult> append(Connection connection, WriterFence fence, List<AppendEntry> batch)
            throws SQLException {
        OutboxAppend.@Nullable Plan[] candidates = new OutboxAppend.Plan[batch.size()];
        Map<String, Long> sequences;
        if (batch.stream().anyMatch(entry -> entry.candidate().isPresent())) {
            if (!Transactions.pass(connection, fence)) {
                throw new WriterFencedException(SqlFailures.FENCED);
            }
            candidates = OutboxAppend.plan(connection, batch);
            sequences = AppendProbe.ask(connection, fence, ids(batch, candidates));
        } else {
            sequences = AppendProbe.passAndAsk(connection, fence, ids(batch, candidates));
        }
        return write(connection, fence, batch, candidates, sequences);
    }

    private List<AppendResult> write(
            Connection connection,
            WriterFence fence,
            List<AppendEntry> batch,
            OutboxAppend.@Nullable Plan[] candidates,
            Map<String, Long> sequences)
            throws SQLException {
        Map<String, StoredShare> known = known(connection, batch, sequences);
        @Nullable AppendResult[] results = new AppendResult[batch.size()];
        Map<String, Integer> first = new LinkedHashMap<>();
        for (int i = 0; i < batch.size(); i++) {
            AppendEntry entry = batch.get(i);
            String id = entry.share().shareId();
            StoredShare stored = known.get(id);
            Integer earlier = first.get(id);
            if (conflicts(entry, stored, earlier == null ? null : batch.get(earlier))) {
                results[i] = new AppendResult.Conflict(ConflictKind.SHARE);
            } else if (candidates[i] == OutboxAppend.Plan.CONFLICT) {
                results[i] = new AppendResult.Conflict(ConflictKind.CANDIDATE);
            } else if (stored == null && earlier == null) {
                first.put(id, i);
            }
        }
        if (!first.isEmpty()) {
            List<PendingShare> fresh = new ArrayList<>(first.size());
            first.values().forEach(i -> fresh.add(batch.get(i).share()));
            ShareInsert.write(connection, fence, fresh, sequences);
            direct.gave(connection, Collections.max(sequences.values()));
        }
        List<AppendResult> answer = new ArrayList<>(results.length);
        for (int i = 0; i < results.length; i++) {
            AppendResult conflict = results[i];
            answer.add(
                    conflict != null
                            ? conflict
                            : durable(
                                    batch.get(i),
                                    i,
                                    known,
                                    first,
                                    sequences,
                                    state(connection, batch.get(i), candidates[i])));
        }
        return answer;
    }

    /** Ids that may be written, each once. */
    private static Set<String> ids(List<AppendEntry> batch, OutboxAppend.@Nullable Plan[] candidates) {
        Set<String> ids = new LinkedHashSet<>();
        for (int i = 0; i < candidates.length; i++) {
            if (candidates[i] != OutboxAppend.Plan.CONFLICT) {
                ids.add(batch.get(i).share().shareId());
            }
        }
        return ids;
    }

    /** Rows of the ids that got no sequence. */
    private static Map<String, StoredShare> known(
            Connection connection, List<AppendEntry> batch, Map<String, Long> sequences) throws SQLException {
        String[] rest = batch.stream()
                .map(entry -> entry.share().shareId())
                .filter(id -> !sequences.containsKey(id))
                .distinct()
                .toArray(String[]::new);
        return rest.length == 0 ? Map.of() : ShareRows.existing(connection, rest);
    }

    private static Optional<CandidateState> state(
            Connection connection, AppendEntry entry, OutboxAppend.@Nullable Plan plan) throws SQLException {
        return plan == null ? Optional.empty() : Optional.of(OutboxAppend.write(connection, entry, plan));
    }

    private static boolean conflicts(AppendEntry entry, @Nullable StoredShare stored, @Nullable AppendEntry earlier) {
        if (stored != null) {
            return !stored.share().isReplayOf(entry.share());
        }
        return earlier != null && !earlier.share().isReplayOf(entry.share());
    }

    private static AppendResult durable(
            AppendEntry entry,
            int index,
            Map<String, StoredShare> known,
            Map<String, Integer> first,
            Map<String, Long> sequences,
            Optional<CandidateState> state) {
        String id = entry.share().shareId();
        StoredShare stored = known.get(id);
        if (stored != null) {
            return new AppendResult.Replayed(stored.shareSeq(), state);
        }
        long sequence = java.util.Objects.requireNonNull(sequences.get(id));
        boolean isFirst = java.util.Objects.requireNonNull(first.get(id)) == index;
        return isFirst ? new AppendResult.New(sequence, state) : new AppendResult.Replayed(sequence, state);
    }

    @Override
    public ShareTotals totals(Deadline deadline) {
        return transactions.read(deadline, sql -> {
            Record3<Integer, Long, @Nullable Long> row = sql.select(
                            DSL.count(),
                            DSL.countDistinct(QBIT_SHARE_LEDGER.MINER_ID).cast(Long.class),
                            DSL.max(QBIT_SHARE_LEDGER.SHARE_SEQ))
                    .from(QBIT_SHARE_LEDGER)
                    .where(QBIT_SHARE_LEDGER.ACCEPTED)
                    .fetchSingle();
            @Nullable Long highest = row.value3();
            return new ShareTotals(row.value1().longValue(), row.value2(), highest == null ? 0 : highest);
        });
    }

    @Override
    public Set<String> miners(Deadline deadline) {
        return transactions.read(deadline, PostgresShareLedger::distinctMiners);
    }

    /** Jumps from one miner to the next on the index: cost follows the miners, not their shares. */
    private static Set<String> distinctMiners(DSLContext sql) {
        Set<String> miners = new HashSet<>();
        @Nullable String last = "";
        while (true) {
            last = sql.select(DSL.min(QBIT_SHARE_LEDGER.MINER_ID))
                    .from(QBIT_SHARE_LEDGER)
                    .where(QBIT_SHARE_LEDGER.ACCEPTED)
                    .and(QBIT_SHARE_LEDGER.MINER_ID.gt(last))
                    .fetchSingle()
                    .value1();
            if (last == null) {
                return miners;
            }
            miners.add(last);
        }
    }

    @Override
    public Optional<StoredShare> find(String shareId, Deadline deadline) {
        return transactions.read(
                deadline,
                sql -> sql.connectionResult(connection -> Optional.ofNullable(
                        ShareRows.existing(connection, new String[] {shareId}).get(shareId))));
    }
}
