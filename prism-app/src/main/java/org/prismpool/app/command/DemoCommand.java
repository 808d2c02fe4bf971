package org.prismpool.app.command;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.prismpool.app.demo.DemoFailure;
import org.prismpool.app.demo.DemoOptions;
import org.prismpool.app.demo.DemoReport;
import org.prismpool.app.demo.DemoRun;
import org.prismpool.app.demo.DemoSummary;
import org.prismpool.app.logging.LogOutput;
import org.prismpool.lifecycle.shutdown.ProcessSignals;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code prism demo}: the whole pool in one process, with nothing to configure. */
@Command(
        name = "demo",
        description =
                "Run database, development node, coordinator and CPU miners in one process and verify every payout.",
        mixinStandardHelpOptions = true,
        versionProvider = PrismVersion.class)
final class DemoCommand implements Callable<Integer> {

    private static final Set<String> MAIN_NETWORKS = Set.of("main", "mainnet");
    private static final Set<String> TRUE_TEXTS = Set.of("1", "true", "yes", "on");

    private enum LedgerKind {
        EMBEDDED,
        MEMORY
    }

    private final Map<String, String> process;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--miners",
            paramLabel = "N",
            defaultValue = "3",
            description = "Built-in CPU miners (${DEFAULT-VALUE}).")
    private int miners;

    @Option(
            names = "--blocks",
            paramLabel = "N",
            defaultValue = "3",
            description = "Accepted blocks after which it ends (${DEFAULT-VALUE}).")
    private int blocks;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "Keep chain, ledger and audit files here; a temporary directory otherwise.")
    private Optional<Path> directory = Optional.empty();

    @Option(
            names = "--seed",
            paramLabel = "INT",
            defaultValue = "1",
            description = "Seed of keys, addresses and miners (${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--port", defaultValue = "0", description = "Stratum port, 0 for a free one (${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--ledger",
            paramLabel = "KIND",
            defaultValue = "embedded",
            description = "embedded (PostgreSQL) or memory (${DEFAULT-VALUE}).")
    private LedgerKind ledger = LedgerKind.EMBEDDED;

    @Option(names = "--keep", description = "Go on after the last block, for outside miners, until Ctrl-C.")
    private boolean keep;

    @Option(names = "--json", description = "Print only the summary, as one JSON document.")
    private boolean json;

    DemoCommand(Map<String, String> process) {
        this.process = process;
    }

    @Override
    public Integer call() throws InterruptedException {
        DemoOptions options = options();
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        if (production()) {
            err.println(
                    "prism demo: QBIT_PRODUCTION, QBIT_TOOLS_PRODUCTION or QBIT_CHAIN=main is set in this environment; "
                            + "the demo never runs beside a production configuration");
            return 2;
        }
        directory.ifPresent(kept -> LogOutput.toFile(kept.resolve("prism-demo.log")));
        DemoRun run = new DemoRun(options, json ? err : out, CommandLine.Help.Ansi.AUTO.enabled() && !json);
        ProcessSignals.onStop(number -> run.requestStop());
        try {
            DemoSummary summary = run.run();
            out.println(json ? DemoReport.json(summary) : DemoReport.text(summary));
            out.flush();
            return summary.ok() ? 0 : 1;
        } catch (DemoFailure failed) {
            err.println("prism demo: " + failed.getMessage());
            err.flush();
            return 1;
        } finally {
            LogOutput.flush();
        }
    }

    private DemoOptions options() {
        try {
            return new DemoOptions(miners, blocks, directory, seed, port, keep, ledger == LedgerKind.MEMORY);
        } catch (IllegalArgumentException refused) {
            throw new ParameterException(spec.commandLine(), refused.getMessage(), refused);
        }
    }

    private boolean production() {
        return flag("QBIT_PRODUCTION")
                || flag("QBIT_TOOLS_PRODUCTION")
                || MAIN_NETWORKS.contains(process.getOrDefault("QBIT_CHAIN", "").toLowerCase(Locale.ROOT));
    }

    private boolean flag(String name) {
        return TRUE_TEXTS.contains(process.getOrDefault(name, "").strip().toLowerCase(Locale.ROOT));
    }
}
