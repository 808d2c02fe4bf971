package org.prismpool.sharewriter.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.output.MigrateOutput;
import org.flywaydb.core.api.output.MigrateResult;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.prismpool.sharewriter.LedgerException;
import org.prismpool.sharewriter.LedgerRefusedException;
import org.prismpool.sharewriter.LedgerUnavailableException;

/**
 * Brings a database to the ledger contract and tells what is missing (ledger contract §1.8).
 *
 * <p>The whole upgrade is one transaction under the advisory lock that a reference coordinator takes as well; stop
 * writers first. History is kept in {@code prism_schema_history}. Blocking, for one caller at a time.
 */
public final class SchemaMigrator {

    private static final String APPLICATION = "qbit-prism-migrate";
    private static final String HISTORY = "prism_schema_history";
    private static final String LOCATION = "classpath:org/prismpool/sharewriter/schema";

    private final PGSimpleDataSource database;

    /**
     * Creates a migrator.
     *
     * @param target where the database is
     */
    public SchemaMigrator(PostgresTarget target) {
        this.database = DirectSource.of(target, APPLICATION, Optional.empty());
    }

    /**
     * Creates a migrator that gives up.
     *
     * @param target where the database is
     * @param limit longest wait for a connection, and for each answer
     */
    public SchemaMigrator(PostgresTarget target, Duration limit) {
        this.database = DirectSource.of(target, APPLICATION, Optional.of(limit));
    }

    /**
     * Applies what is missing; without effect on a complete database.
     *
     * @return descriptions of the steps applied now
     * @throws LedgerRefusedException if a step fails; the database is unchanged
     * @throws LedgerUnavailableException if the server does not answer; ask again, nothing is half done
     */
    public List<String> up() {
        try {
            forgetIfIncomplete();
            MigrateResult result = flyway().migrate();
            return result.migrations.stream().map(SchemaMigrator::describe).toList();
        } catch (FlywayException failure) {
            throw failed("schema migration failed: ", failure);
        }
    }

    /**
     * A script of another release may have taken away what the history calls applied: every step can run again, so the
     * history is forgotten and all of it does.
     */
    private void forgetIfIncomplete() {
        if (SchemaContract.missing(database).isEmpty()) {
            return;
        }
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS " + HISTORY);
        } catch (SQLException failure) {
            throw SqlFailures.of(failure);
        }
    }

    /**
     * Compares the database with the contract.
     *
     * @return state of the schema
     */
    public SchemaStatus status() {
        try {
            List<String> pending = Arrays.stream(flyway().info().pending())
                    .map(MigrationInfo::getDescription)
                    .toList();
            return new SchemaStatus(pending, SchemaContract.missing(database));
        } catch (FlywayException failure) {
            throw failed("schema status failed: ", failure);
        }
    }

    /**
     * Refuses a database that does not hold the complete contract.
     *
     * @throws LedgerRefusedException naming the missing objects
     */
    public void verify() {
        List<String> missing = SchemaContract.missing(database);
        if (!missing.isEmpty()) {
            throw new LedgerRefusedException(
                    "ledger schema is incomplete, missing: " + String.join(", ", missing),
                    false,
                    new IllegalStateException());
        }
    }

    /**
     * Takes the publication ordinal back, for a return to a release that does not know it; the order of publication is
     * lost. Idempotent, one transaction.
     *
     * @return true if there was something to take back
     * @throws LedgerRefusedException if something foreign depends on the ordinal, or a writer lease is active
     */
    public boolean revertPublicationOrdinal() {
        return PublicationOrdinalRevert.run(database);
    }

    /**
     * Counts the blocks whose place in the order of publication {@link #revertPublicationOrdinal} would forget.
     *
     * @return blocks with an ordinal, 0 if the database knows none
     */
    public long publicationOrdinals() {
        return PublicationOrdinalRevert.assigned(database);
    }

    private Flyway flyway() {
        return Flyway.configure()
                .dataSource(database)
                .locations(LOCATION)
                .table(HISTORY)
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .baselineDescription("existing database")
                .validateOnMigrate(true)
                .load();
    }

    private static String describe(MigrateOutput step) {
        return step.version + " " + step.description;
    }

    /** A server that does not answer is not a refusal. */
    private static LedgerException failed(String what, FlywayException failure) {
        String message = what + rootMessage(failure);
        for (@Nullable Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof SQLException sql && SqlFailures.connectionLost(sql)) {
                return new LedgerUnavailableException(message, failure);
            }
        }
        return new LedgerRefusedException(message, false, failure);
    }

    private static String rootMessage(Throwable failure) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable at = failure; at != null && !chain.contains(at); at = at.getCause()) {
            chain.add(at);
        }
        return String.valueOf(chain.get(chain.size() - 1).getMessage());
    }
}
