package org.prismpool.app.bench.payout;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code prism bench payout}: job summaries in this process, bundles and their verification from the command line. */
@Command(
        name = "payout",
        description = "Measure job summaries, audit bundles and their verification.",
        mixinStandardHelpOptions = true)
public final class PayoutCommand implements Callable<Integer> {

    private static final String SCHEMA = "prism.payout-benchmark.v1";

    @Spec
    private CommandSpec spec;

    @Option(names = "--shares", defaultValue = "400000", description = "Shares of the window (${DEFAULT-VALUE}).")
    private int shares;

    @Option(names = "--miners", defaultValue = "10000", description = "Miners, all of them paid (${DEFAULT-VALUE}).")
    private int miners;

    @Option(names = "--rounds", defaultValue = "7", description = "Measured rounds of each path (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--warm-up-seconds",
            defaultValue = "8",
            description = "Run each path in this process for so long, and as often as it is measured, before it counts:"
                    + " a coordinator's code is long compiled (${DEFAULT-VALUE}).")
    private int warmUpSeconds;

    @Option(
            names = "--ledger-ids",
            description = "Share ids as the ledger has them, address and block hash, instead of short ones.")
    private boolean ledgerIds;

    @Option(names = "--command-line", description = "Measure whole commands too, each in a heap of 1 GiB.")
    private boolean commandLine;

    @Option(names = "--output-json", paramLabel = "FILE", description = "Write the figures to a file as well.")
    private Optional<Path> output = Optional.empty();

    /** Creates the command. */
    public PayoutCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (shares < 1 || miners < 1 || miners > shares || rounds < 1 || warmUpSeconds < 0) {
            throw new ParameterException(
                    spec.commandLine(),
                    "shares, miners and rounds are 1 or more, miners at most the shares, seconds 0 or more");
        }
        MadeWindow window = new MadeWindow(shares, miners, ledgerIds);
        List<Figure> figures = new ArrayList<>(inProcess(window));
        if (commandLine) {
            figures.addAll(commands(window));
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(shares + " shares, " + miners + " miners, median of " + rounds + " rounds");
        figures.forEach(figure -> out.println(figure.line()));
        out.flush();
        if (output.isPresent()) {
            Files.writeString(
                    output.get(),
                    new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(report(figures)) + "\n",
                    StandardCharsets.UTF_8);
        }
        return 0;
    }

    private List<Figure> inProcess(MadeWindow window) {
        return new InProcess(window, rounds, Duration.ofSeconds(warmUpSeconds), System::nanoTime).measure();
    }

    private List<Figure> commands(MadeWindow window) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("prism-bench-payout");
        try {
            return new CommandLineRuns(window, Math.min(rounds, 3), System::nanoTime).measure(directory);
        } finally {
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(directory);
        }
    }

    private ObjectNode report(List<Figure> figures) {
        ObjectNode report = new ObjectMapper().createObjectNode();
        report.put("schema", SCHEMA);
        report.put("shares", shares);
        report.put("miners", miners);
        report.put("rounds", rounds);
        report.put("ledger_ids", ledgerIds);
        ArrayNode list = report.putArray("figures");
        figures.forEach(figure -> list.add(figure.json()));
        return report;
    }
}
