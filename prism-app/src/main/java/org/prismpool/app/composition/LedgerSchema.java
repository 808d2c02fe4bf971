package org.prismpool.app.composition;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.prismpool.config.DatabaseUrl;
import org.prismpool.config.Environment;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.sharewriter.postgres.PostgresTarget;
import org.prismpool.sharewriter.postgres.SchemaMigrator;
import org.prismpool.sharewriter.postgres.SchemaStatus;

/** The schema of the configured ledger, for commands. */
public final class LedgerSchema {

    private final SchemaMigrator migrator;

    private LedgerSchema(SchemaMigrator migrator) {
        this.migrator = migrator;
    }

    /**
     * Finds the configured database.
     *
     * @param given environment texts; only the database variables matter
     * @return the schema, not yet connected to
     * @throws IllegalArgumentException if no database is configured
     */
    public static LedgerSchema of(Map<String, String> given) {
        Environment environment = PrismConfiguration.loader().load(given).environment();
        DatabaseUrl url = LedgerParts.databaseUrl(environment)
                .orElseThrow(() -> new IllegalArgumentException(
                        "set PRISM_DATABASE_URL=postgresql://user:password@host:port/database"));
        return new LedgerSchema(
                new SchemaMigrator(PostgresTarget.parse(url.dsn().reveal())));
    }

    /**
     * Applies what is pending.
     *
     * @return one line a step
     */
    public List<String> up() {
        List<String> applied = new ArrayList<>();
        migrator.up().forEach(step -> applied.add("applied " + step));
        if (applied.isEmpty()) {
            applied.add("the schema is current");
        }
        return applied;
    }

    /**
     * Says how the schema stands.
     *
     * @return one line a finding
     */
    public List<String> status() {
        SchemaStatus status = migrator.status();
        List<String> lines = new ArrayList<>();
        status.pending().forEach(step -> lines.add("pending " + step));
        status.missing().forEach(object -> lines.add("missing " + object));
        if (lines.isEmpty()) {
            lines.add("the schema is current");
        }
        return lines;
    }
}
