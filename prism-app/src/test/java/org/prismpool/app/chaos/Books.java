package org.prismpool.app.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.prismpool.payout.audit.AuditArtifact;
import org.prismpool.payout.audit.AuditVerifier;
import org.prismpool.payout.audit.VerificationReport;
import org.prismpool.templates.chain.Hash256;
import org.prismpool.templates.chain.Transaction;
import org.prismpool.templates.chain.TransactionOutput;

/** The pool's books seen from outside: database rows, audit files and the node's chain, each read by itself and compared. */
final class Books implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final String dsn;
    private final Chain chain;
    private final Path audit;
    private final String ledgerKey;
    private Optional<Connection> connection = Optional.empty();

    /** The node's word. */
    interface Chain {
        boolean isActive(Hash256 hash) throws IOException;

        Transaction coinbase(Hash256 hash) throws IOException;
    }

    /** One row of the pool's blocks. */
    record Row(String hash, long height, String state, String maturity, Optional<Long> ordinal) {}

    Books(String dsn, Chain chain, Path audit, String ledgerKey) {
        this.dsn = dsn;
        this.chain = chain;
        this.audit = audit;
        this.ledgerKey = ledgerKey;
    }

    /** The database has no tables before the first start of a pool. */
    synchronized Connection connection() throws SQLException {
        if (connection.isEmpty()) {
            connection = Optional.of(SharedPostgres.connect(dsn));
        }
        return connection.get();
    }

    synchronized <R> List<R> query(String sql, Reader<R> reader, Object... parameters) {
        try (PreparedStatement statement = connection().prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            List<R> rows = new ArrayList<>();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    rows.add(reader.read(result));
                }
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    synchronized void execute(String sql) {
        try (PreparedStatement statement = connection().prepareStatement(sql)) {
            statement.execute();
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** Reads one row. */
    interface Reader<R> {
        R read(ResultSet row) throws SQLException;
    }

    long count(String sql, Object... parameters) {
        return query(sql, row -> row.getLong(1), parameters).get(0);
    }

    String outboxState(Hash256 hash) {
        return text("SELECT state FROM qbit_block_candidate_outbox WHERE block_hash = ?", hash.displayHex());
    }

    String outboxError(Hash256 hash) {
        return text("SELECT last_error FROM qbit_block_candidate_outbox WHERE block_hash = ?", hash.displayHex());
    }

    String chainState(Hash256 hash) {
        return text("SELECT chain_state FROM qbit_pool_blocks WHERE block_hash = ?", hash.displayHex());
    }

    String maturity(Hash256 hash) {
        return text("SELECT maturity_state FROM qbit_pool_blocks WHERE block_hash = ?", hash.displayHex());
    }

    private String text(String sql, String parameter) {
        List<Optional<String>> rows = query(sql, row -> Optional.ofNullable(row.getString(1)), parameter);
        return rows.isEmpty() ? "absent" : rows.get(0).orElse("");
    }

    List<Row> blocks() {
        return query(
                "SELECT block_hash, block_height, chain_state, maturity_state, audit_publication_sequence"
                        + " FROM qbit_pool_blocks ORDER BY block_height, block_hash",
                row -> new Row(
                        row.getString(1),
                        row.getLong(2),
                        row.getString(3),
                        row.getString(4),
                        Optional.ofNullable(row.getBigDecimal(5)).map(BigDecimal::longValueExact)));
    }

    long ordinal(Hash256 hash) {
        return blocks().stream()
                .filter(row -> row.hash().equals(hash.displayHex()))
                .findFirst()
                .flatMap(Row::ordinal)
                .orElse(0L);
    }

    /** Everything that must hold whatever has happened, once no candidate is open. */
    void assertConsistent(Collection<String> acknowledged) throws IOException {
        for (Row row : blocks()) {
            assertRowFollowsChain(row);
            if (row.state().equals("confirmed")) {
                assertPaidOnceAndProvable(row);
            }
        }
        assertThat(count("SELECT count(*) FROM qbit_block_candidate_outbox WHERE state = 'pending'"))
                .as("open candidates")
                .isZero();
        assertThat(count("SELECT count(*) - count(DISTINCT share_id) FROM qbit_share_ledger"))
                .as("shares twice")
                .isZero();
        List<String> shares = query("SELECT share_id FROM qbit_share_ledger", row -> row.getString(1));
        assertThat(shares).as("acknowledged shares").containsAll(acknowledged);
        assertBalances();
        assertEvidenceShowsTheHighestOrdinal();
    }

    private void assertRowFollowsChain(Row row) throws IOException {
        boolean active = chain.isActive(Hash256.ofDisplayHex(row.hash()));
        if (active) {
            assertThat(row.state()).as("row of active " + row).isEqualTo("confirmed");
            assertThat(row.ordinal()).isPresent();
        } else {
            assertThat(row.state()).as("row of inactive " + row).isIn("inactive", "rejected", "reversed");
        }
    }

    private void assertPaidOnceAndProvable(Row row) throws IOException {
        Transaction coinbase = chain.coinbase(Hash256.ofDisplayHex(row.hash()));
        VerificationReport report = new AuditVerifier(ledgerKey).verify(AuditArtifact.read(body(row.hash())));
        AuditVerifier.compareWithChain(report, coinbase.hex(), OptionalLong.empty());
        long onChain = coinbase.outputs().stream()
                .mapToLong(TransactionOutput::valueSats)
                .sum();
        assertThat(count(
                        "SELECT COALESCE(sum(onchain_amount_sats), 0) FROM qbit_pool_payout_entries"
                                + " WHERE block_hash = ?",
                        row.hash()))
                .as("payout entries of " + row)
                .isEqualTo(onChain);
        assertThat(count(
                        "SELECT count(*) - count(DISTINCT (miner_id, p2mr_program)) FROM qbit_pool_payout_entries"
                                + " WHERE block_hash = ?",
                        row.hash()))
                .as("entries twice")
                .isZero();
    }

    private Path body(String hash) throws IOException {
        try (Stream<Path> files = Files.list(audit)) {
            return files.filter(file -> file.getFileName().toString().startsWith("prism-audit-bundle-body-" + hash))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no audit body of " + hash));
        }
    }

    /** Per program: what confirmed blocks earned minus what they paid is what the summary says is owed. */
    private void assertBalances() {
        String owed = "SELECT encode(c.p2mr_program, 'hex') || ' ' ||"
                + " sum(c.gross_amount_sats - c.onchain_amount_sats - c.settlement_fee_sats)"
                + " FROM qbit_payout_carry_forward c JOIN qbit_pool_blocks b USING (block_hash)"
                + " WHERE b.chain_state = 'confirmed' GROUP BY c.p2mr_program"
                + " HAVING sum(c.gross_amount_sats - c.onchain_amount_sats - c.settlement_fee_sats) <> 0 ORDER BY 1";
        String summary = "SELECT encode(p2mr_program, 'hex') || ' ' || sum(balance_sats)"
                + " FROM qbit_payout_carry_forward_current GROUP BY p2mr_program"
                + " HAVING sum(balance_sats) <> 0 ORDER BY 1";
        assertThat(query(summary, row -> row.getString(1)))
                .as("balances")
                .isEqualTo(query(owed, row -> row.getString(1)));
    }

    private void assertEvidenceShowsTheHighestOrdinal() throws IOException {
        Optional<Row> newest = blocks().stream()
                .filter(row -> row.ordinal().isPresent())
                .max((a, b) -> a.ordinal().get().compareTo(b.ordinal().get()));
        if (newest.isPresent()) {
            JsonNode evidence = JSON.readTree(Files.readAllBytes(audit.resolve("evidence.json")));
            assertThat(evidence.toString()).as("evidence").contains(newest.get().hash());
        }
    }

    @Override
    public synchronized void close() throws SQLException {
        if (connection.isPresent()) {
            connection.get().close();
        }
    }
}
