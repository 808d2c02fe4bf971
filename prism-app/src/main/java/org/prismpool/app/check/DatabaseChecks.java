package org.prismpool.app.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.prismpool.app.composition.backend.StartFailure;
import org.prismpool.app.composition.reader.DatabaseVerdict;
import org.prismpool.app.composition.reader.ReadDatabase;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.LedgerVariables;
import org.prismpool.config.variable.PublicApiVariables;
import org.prismpool.config.variable.Variable;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.LedgerException;
import org.prismpool.sharewriter.postgres.PostgresTarget;
import org.prismpool.sharewriter.postgres.SchemaMigrator;
import org.prismpool.sharewriter.postgres.SchemaStatus;
import org.prismpool.sharewriter.postgres.ServerFacts;

/** Rows about the ledger's database. Source: spec 01 §6.3. */
final class DatabaseChecks {

    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int SHOWN = 5;
    /** What reading from the public database needs besides its address. */
    private static final List<Variable<?>> READS = List.of(
            LedgerVariables.POSTGRES_READ_CONCURRENCY,
            LedgerVariables.PUBLIC_REWARD_WINDOW_CACHE_SECONDS,
            PublicApiVariables.PUBLIC_REPLICA_MAX_LAG_SECONDS,
            PublicApiVariables.PUBLIC_READINESS_PROBE_INTERVAL_SECONDS);

    private final PostgresTarget target;
    private final Environment e;
    private final boolean production;
    private final Duration limit;

    DatabaseChecks(PostgresTarget target, Environment e, Map<String, String> texts, Duration longest) {
        this.target = target;
        this.e = e;
        this.production = Words.isProduction(texts);
        this.limit = LIMIT.compareTo(longest) < 0 ? LIMIT : longest;
    }

    List<CheckRow> rows() {
        return rows("PRISM_DATABASE_URL", facts -> List.of(durability(facts), schema()));
    }

    /** The rows of a process that only reads: what the server promises to writers is another process's affair. */
    List<CheckRow> rowsOfReader() {
        return rows("PRISM_PUBLIC_DATABASE_URL", facts -> {
            List<CheckRow> further = new ArrayList<>(List.of(schema()));
            boolean required =
                    e.find(PublicApiVariables.PUBLIC_REPLICA_MODE).orElse("off").equals("require");
            if (required && READS.stream().allMatch(e::resolved)) {
                further.add(replica());
            }
            return further;
        });
    }

    /** The same judgement that the public process acts on. */
    private CheckRow replica() {
        MonotonicClock clock = MonotonicClock.system();
        try (ReadDatabase database = ReadDatabase.open(e, clock)) {
            DatabaseVerdict verdict = database.watch(e, clock).ask();
            return verdict.available()
                    ? CheckRow.pass("postgres.replica", "a standby, and current")
                    : CheckRow.fail("postgres.replica", verdict.reason())
                            .withHint("check PRISM_PUBLIC_DATABASE_URL and PRISM_PUBLIC_REPLICA_MODE");
        } catch (StartFailure failed) {
            return CheckRow.fail("postgres.replica", String.valueOf(failed.getMessage()));
        }
    }

    private List<CheckRow> rows(String variable, Function<ServerFacts, List<CheckRow>> further) {
        List<CheckRow> rows = new ArrayList<>();
        ServerFacts facts;
        try {
            facts = ServerFacts.ask(target, limit);
        } catch (LedgerException unreachable) {
            rows.add(CheckRow.fail("postgres.ready", String.valueOf(unreachable.getMessage()))
                    .withHint("check " + variable));
            return rows;
        }
        rows.add(CheckRow.pass("postgres.ready", "PostgreSQL " + facts.version()));
        rows.addAll(further.apply(facts));
        return rows;
    }

    private CheckRow durability(ServerFacts facts) {
        if (facts.durable()) {
            return CheckRow.pass("postgres.durability", "fsync, full_page_writes and synchronous_commit are on");
        }
        String detail = "fsync=" + facts.fsync() + " full_page_writes=" + facts.fullPageWrites()
                + " synchronous_commit=" + facts.synchronousCommit();
        return production
                ? CheckRow.fail("postgres.durability", detail).withHint("an acknowledged share could be lost")
                : CheckRow.warn("postgres.durability", detail);
    }

    private CheckRow schema() {
        try {
            SchemaStatus status = new SchemaMigrator(target, limit).status();
            if (status.complete()) {
                return CheckRow.pass("postgres.schema", "complete");
            }
            List<String> missing = status.missing();
            String detail = missing.size() + " objects missing: "
                    + String.join(", ", missing.subList(0, Math.min(SHOWN, missing.size())))
                    + (missing.size() > SHOWN ? ", ..." : "");
            return e.find(LedgerVariables.POSTGRES_INIT_SCHEMA).orElse(false)
                    ? CheckRow.warn("postgres.schema", detail + "; the start applies them")
                    : CheckRow.fail("postgres.schema", detail)
                            .withHint("prism migrate up, or PRISM_POSTGRES_INIT_SCHEMA=1");
        } catch (LedgerException failed) {
            return CheckRow.fail("postgres.schema", String.valueOf(failed.getMessage()));
        }
    }
}
