package org.prismpool.sharewriter.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.CandidateState;
import org.prismpool.sharewriter.OutboxIntent;

/** Block candidates inside the append: what to do with each is decided before anything of the batch is written. */
final class OutboxAppend {

    /** What an entry does to its outbox row. */
    enum Plan {
        /** Insert the row. */
        INSERT,
        /** Link the row that was stored without a share. */
        LINK,
        /** The row is there already. */
        KEEP,
        /** The row contradicts: another digest or another share. */
        CONFLICT
    }

    private static final String LOOKUP =
            "SELECT block_hash, share_id, candidate_sha256 FROM qbit_block_candidate_outbox"
                    + " WHERE block_hash = ? OR share_id = ? FOR UPDATE";
    private static final String INSERT = "INSERT INTO qbit_block_candidate_outbox"
            + " (block_hash, share_id, candidate, candidate_sha256) VALUES (?, ?, ?::jsonb, ?) RETURNING state";
    private static final String LINK = "UPDATE qbit_block_candidate_outbox SET share_id = ?,"
            + " updated_at = clock_timestamp() WHERE block_hash = ? RETURNING state";
    private static final String STATE = "SELECT state FROM qbit_block_candidate_outbox WHERE block_hash = ?";

    private OutboxAppend() {}

    /** Plans by position; null for entries without a candidate. */
    static @Nullable Plan[] plan(Connection connection, List<AppendEntry> batch) throws SQLException {
        @Nullable Plan[] plans = new Plan[batch.size()];
        Map<String, AppendEntry> planned = new HashMap<>();
        for (int i = 0; i < plans.length; i++) {
            AppendEntry entry = batch.get(i);
            if (entry.candidate().isPresent()) {
                OutboxIntent intent = entry.candidate().get();
                AppendEntry twin = planned.putIfAbsent(intent.blockHash(), entry);
                plans[i] = twin == null ? decide(connection, entry, intent) : sameAs(twin, entry);
            }
        }
        return plans;
    }

    private static Plan decide(Connection connection, AppendEntry entry, OutboxIntent intent) throws SQLException {
        String shareId = entry.share().shareId();
        Plan plan = Plan.INSERT;
        try (PreparedStatement statement = connection.prepareStatement(LOOKUP)) {
            statement.setString(1, intent.blockHash());
            statement.setString(2, shareId);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    Optional<String> linked = Optional.ofNullable(rows.getString(2));
                    boolean sameRow = rows.getString(1).equals(intent.blockHash())
                            && rows.getString(3).equals(intent.sha256())
                            && linked.map(shareId::equals).orElse(true);
                    if (!sameRow) {
                        return Plan.CONFLICT;
                    }
                    plan = linked.isPresent() ? Plan.KEEP : Plan.LINK;
                }
            }
        }
        return plan;
    }

    /** The same hash twice in one batch is a repeat or a contradiction. */
    private static Plan sameAs(AppendEntry first, AppendEntry second) {
        boolean same = first.share().shareId().equals(second.share().shareId())
                && first.candidate()
                        .map(OutboxIntent::sha256)
                        .equals(second.candidate().map(OutboxIntent::sha256));
        return same ? Plan.KEEP : Plan.CONFLICT;
    }

    /** Carries a plan out after the shares are in; the state of this very transaction. */
    static CandidateState write(Connection connection, AppendEntry entry, Plan plan) throws SQLException {
        OutboxIntent intent = entry.candidate().orElseThrow();
        String shareId = entry.share().shareId();
        String hash = intent.blockHash();
        if (plan == Plan.LINK) {
            return state(connection, LINK, shareId, hash).orElseThrow(OutboxAppend::vanished);
        }
        Optional<CandidateState> kept = plan == Plan.KEEP ? state(connection, STATE, hash) : Optional.empty();
        if (kept.isPresent()) {
            return kept.get();
        }
        return state(connection, INSERT, hash, shareId, intent.intentJson(), intent.sha256())
                .orElseThrow(OutboxAppend::vanished);
    }

    private static IllegalStateException vanished() {
        return new IllegalStateException("the candidate vanished inside its transaction");
    }

    private static Optional<CandidateState> state(Connection connection, String sql, String... parameters)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setString(i + 1, parameters[i]);
            }
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(CandidateState.ofText(row.getString(1))) : Optional.empty();
            }
        }
    }
}
