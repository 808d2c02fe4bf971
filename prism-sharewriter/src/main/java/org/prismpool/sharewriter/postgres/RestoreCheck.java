package org.prismpool.sharewriter.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Looks a restored ledger over before a coordinator starts on it (ledger contract §9.2). Only reads, in one snapshot;
 * its cost grows with the history.
 */
public final class RestoreCheck {

    private static final String APPLICATION = "qbit-prism-restore-check";

    /** Sequence and the column that it feeds: a value behind its column would be drawn twice. */
    private static final Map<String, String> SEQUENCES = new TreeMap<>(Map.of(
            "qbit_share_ledger_share_seq_seq", "share_seq FROM qbit_share_ledger",
            "qbit_payout_carry_forward_carry_forward_seq_seq", "carry_forward_seq FROM qbit_payout_carry_forward",
            "qbit_pool_payout_entries_payout_entry_seq_seq", "payout_entry_seq FROM qbit_pool_payout_entries",
            "qbit_ctv_fanout_broadcast_attempts_attempt_seq_seq", "attempt_seq FROM qbit_ctv_fanout_broadcast_attempts",
            "qbit_audit_publication_sequence_seq", "audit_publication_sequence FROM qbit_pool_blocks"));

    private static final String WITHOUT_BUNDLE = "SELECT block_hash FROM qbit_pool_blocks b WHERE NOT EXISTS"
            + " (SELECT FROM qbit_pool_audit_bundles a WHERE a.block_hash = b.block_hash) ORDER BY block_height, block_hash";

    private RestoreCheck() {}

    /**
     * What a ledger holds and what is wrong with it.
     *
     * @param shares rows of the share log
     * @param highestShareSeq highest sequence of a share, 0 without shares
     * @param bundledBlocks hashes of all blocks with an audit bundle row, by height
     * @param leased whether the lease names a session whose time is not over
     * @param findings what is wrong, empty if nothing is
     */
    public record Report(
            long shares, long highestShareSeq, List<String> bundledBlocks, boolean leased, List<String> findings) {

        /** Copies the lists. */
        public Report {
            bundledBlocks = List.copyOf(bundledBlocks);
            findings = List.copyOf(findings);
        }
    }

    /**
     * Checks a database: the schema, the sequences, the summary of balances against its journal, and a bundle row for
     * every block. Nothing more is read of a database whose schema is incomplete.
     *
     * @param target where the database is
     * @param limit longest wait for the connection, and again for each answer
     * @return what was found
     * @throws org.prismpool.sharewriter.LedgerException if the database fails
     */
    public static Report run(PostgresTarget target, Duration limit) {
        PGSimpleDataSource database = DirectSource.of(target, APPLICATION, Optional.of(limit));
        List<String> findings = new ArrayList<>();
        for (String object : SchemaContract.missing(database)) {
            findings.add("the schema lacks " + object);
        }
        if (!findings.isEmpty()) {
            return new Report(0, 0, List.of(), false, findings);
        }
        try (Connection connection = database.getConnection()) {
            connection.setReadOnly(true);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                return report(statement, findings);
            }
        } catch (SQLException failure) {
            throw SqlFailures.of(failure);
        }
    }

    private static Report report(Statement statement, List<String> findings) throws SQLException {
        for (Map.Entry<String, String> sequence : SEQUENCES.entrySet()) {
            if (number(statement, behind(sequence.getKey(), sequence.getValue())) == 1) {
                findings.add("sequence " + sequence.getKey() + " is behind its column");
            }
        }
        long drift = number(statement, "SELECT count(*) FROM qbit_carry_forward_current_drift()");
        if (drift != 0) {
            findings.add("the summary of balances differs from its journal for " + drift + " recipients");
        }
        for (String block : texts(statement, WITHOUT_BUNDLE)) {
            findings.add("block " + block + " has no audit bundle row");
        }
        return new Report(
                number(statement, "SELECT count(*) FROM qbit_share_ledger"),
                number(statement, "SELECT coalesce(max(share_seq), 0) FROM qbit_share_ledger"),
                texts(
                        statement,
                        "SELECT b.block_hash FROM qbit_pool_blocks b JOIN qbit_pool_audit_bundles a USING (block_hash)"
                                + " ORDER BY b.block_height, b.block_hash"),
                number(
                                statement,
                                "SELECT count(*) FROM qbit_ledger_writer_lease WHERE lease_expires_at > clock_timestamp()")
                        == 1,
                findings);
    }

    private static String behind(String sequence, String column) {
        return "SELECT CASE WHEN (CASE WHEN is_called THEN last_value ELSE last_value - 1 END)"
                + " < (SELECT coalesce(max(" + column.replace(" FROM ", "), 0) FROM ") + ") THEN 1 ELSE 0 END FROM "
                + sequence;
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static List<String> texts(Statement statement, String sql) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }
}
