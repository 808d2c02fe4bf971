package org.prismpool.app.bench.ledger;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.prismpool.app.demo.EmbeddedDatabase;
import org.prismpool.app.logging.LogOutput;
import org.prismpool.sharewriter.LedgerException;
import org.prismpool.sharewriter.bench.LedgerBench;
import org.prismpool.sharewriter.bench.LedgerReport;
import org.prismpool.sharewriter.postgres.PostgresTarget;
import org.prismpool.sharewriter.postgres.ScratchDatabase;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code prism bench ledger}: shares per second and acknowledgement times of the share ledger, beside the reference's
 * statement in the same run (spec 06 §8, 08 §8.1).
 */
@Command(
        name = "ledger",
        description = "Measure the share ledger on a PostgreSQL of its own, beside the reference's statement.",
        mixinStandardHelpOptions = true)
public final class LedgerCommand implements Callable<Integer> {

    private static final int PACED = 300;

    /** As a pool's server has it; with an embedded server's small defaults both ways wait for pages and checkpoints. */
    private static final Map<String, String> SIZE = Map.of("shared_buffers", "1GB", "max_wal_size", "8GB");

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--shares",
            defaultValue = "40000",
            description = "Shares of each throughput part (${DEFAULT-VALUE}).")
    private int shares;

    @Option(
            names = "--window-shares",
            defaultValue = "100000",
            description = "Shares of the reward window, 0 to leave it out (${DEFAULT-VALUE}).")
    private int windowShares;

    @Option(
            names = "--min-shares-per-second",
            defaultValue = "0",
            description = "Fail below this rate, 0 for no gate (${DEFAULT-VALUE}).")
    private long gate;

    @Option(names = "--report", paramLabel = "FILE", description = "Write the report as JSON.")
    private Optional<Path> report = Optional.empty();

    @Option(
            names = "--database-url",
            paramLabel = "URL",
            description =
                    "Measure this server, in a database that is made for the run and dropped after it; an embedded "
                            + "server with shared_buffers = 1GB and max_wal_size = 8GB otherwise.")
    private Optional<String> databaseUrl = Optional.empty();

    @Option(names = "--json", description = "Print only the report, as one JSON document.")
    private boolean json;

    /** Creates the command. */
    public LedgerCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (shares < 1 || windowShares < 0 || gate < 0) {
            throw new ParameterException(
                    spec.commandLine(), "--shares must be 1 or more, the other amounts must not be negative");
        }
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try {
            Consumer<String> progress = (json ? err : out)::println;
            LedgerReport measured = databaseUrl.isPresent()
                    ? measure(PostgresTarget.parse(databaseUrl.get()), progress)
                    : embedded(progress);
            String document = LedgerReportJson.of(measured, shares, gate);
            if (report.isPresent()) {
                Files.writeString(report.get(), document + "\n");
            }
            (json ? List.of(document) : measured.server().windowPlan()).forEach(out::println);
            double rate = measured.defaults().writer();
            if (rate < gate) {
                err.printf("prism bench ledger: %.0f shares/s are below the gate of %d%n", rate, gate);
                return 1;
            }
            return 0;
        } catch (LedgerException | IllegalArgumentException | IOException failed) {
            err.println("prism bench ledger: " + failed.getMessage());
            return 1;
        } finally {
            out.flush();
            err.flush();
            LogOutput.flush();
        }
    }

    private LedgerReport measure(PostgresTarget server, Consumer<String> progress) throws InterruptedException {
        try (ScratchDatabase database = ScratchDatabase.create(server)) {
            return new LedgerBench(database.target(), progress).run(new LedgerBench.Plan(shares, PACED, windowShares));
        }
    }

    private LedgerReport embedded(Consumer<String> progress) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("prism-bench-ledger");
        try (EmbeddedDatabase server = EmbeddedDatabase.start(directory.resolve("postgres"), SIZE)) {
            return measure(PostgresTarget.parse(server.dsn()), progress);
        } finally {
            delete(directory);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
