package org.prismpool.app.composition.backend;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.prismpool.config.Environment;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.sharewriter.postgres.PostgresTarget;
import org.prismpool.sharewriter.postgres.SchemaMigrator;
import org.prismpool.sharewriter.postgres.SchemaStatus;

/** The schema of a ledger, for commands. Every call blocks on the database and fails with its ledger exception. */
public final class LedgerSchema {

    private final SchemaMigrator migrator;

    private LedgerSchema(SchemaMigrator migrator) {
        this.migrator = migrator;
    }

    /**
     * Finds the database.
     *
     * @param given environment texts; only the database variables matter
     * @param databaseUrl address that overrides the environment's, empty for none
     * @return the schema, not yet connected to
     * @throws IllegalArgumentException if no database is named, or its address is broken
     */
    public static LedgerSchema of(Map<String, String> given, Optional<String> databaseUrl) {
        return new LedgerSchema(new SchemaMigrator(target(given, databaseUrl)));
    }

    static PostgresTarget target(Map<String, String> given, Optional<String> databaseUrl) {
        String address = databaseUrl
                .or(() -> configured(given))
                .orElseThrow(() -> new IllegalArgumentException(
                        "set PRISM_DATABASE_URL=postgresql://user:password@host:port/database"));
        return PostgresTarget.parse(address);
    }

    private static Optional<String> configured(Map<String, String> given) {
        Environment environment = PrismConfiguration.loader().load(given).environment();
        return LedgerParts.databaseUrl(environment).map(url -> url.dsn().reveal());
    }

    /**
     * Applies what is pending.
     *
     * @return the steps applied, empty if the schema was current
     */
    public List<String> up() {
        return migrator.up();
    }

    /**
     * Says how the schema stands.
     *
     * @return pending steps and missing objects
     */
    public SchemaStatus status() {
        return migrator.status();
    }

    /**
     * Counts the blocks whose place in the order of publication a revert forgets.
     *
     * @return blocks
     */
    public long publicationOrdinals() {
        return migrator.publicationOrdinals();
    }

    /**
     * Takes the publication ordinal back.
     *
     * @return true if there was one
     */
    public boolean revertPublicationOrdinal() {
        return migrator.revertPublicationOrdinal();
    }
}
