package org.prismpool.app.bench.jobs;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.prismpool.app.composition.backend.StartFailure;
import org.prismpool.app.logging.LogOutput;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code prism bench jobs}: how long a new tip takes to reach every miner (spec 07 §10.1, 08 §8.1). */
@Command(
        name = "jobs",
        description =
                "Measure the way of a new tip to every miner, with injected latencies of node, ledger and builder.",
        mixinStandardHelpOptions = true)
public final class JobsCommand implements Callable<Integer> {

    private static final double MILLIS = 1000;

    private enum Mode {
        CACHED,
        UNCACHED
    }

    @Spec
    private CommandSpec spec;

    @Option(names = "--mode", defaultValue = "cached", description = "cached or uncached (${DEFAULT-VALUE}).")
    private String mode = "cached";

    @Option(names = "--clients", defaultValue = "50", description = "Connected miners (${DEFAULT-VALUE}).")
    private int clients;

    @Option(names = "--tip-flips", defaultValue = "10", description = "Measured tip changes (${DEFAULT-VALUE}).")
    private int tipFlips;

    @Option(
            names = "--warm-up",
            defaultValue = "100",
            description =
                    "Tip changes at full speed before those, so that compiled code is measured (${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(names = "--shares", defaultValue = "21868", description = "Shares of the window (${DEFAULT-VALUE}).")
    private int shares;

    @Option(names = "--miners", defaultValue = "2", description = "Payout addresses (${DEFAULT-VALUE}).")
    private int miners;

    @Option(names = "--ctv-settlement", description = "Settle by covenants what the coinbase has no output for.")
    private boolean ctvSettlement;

    @Option(names = "--precompute-payout-artifact", description = "Reuse the window over tip changes.")
    private boolean precompute;

    @Option(names = "--real-builder", description = "Build by a helper process, without injected time.")
    private boolean realBuilder;

    @Option(names = "--fake-builder-delay", defaultValue = "1.0", description = "Seconds (${DEFAULT-VALUE}).")
    private double builder;

    @Option(names = "--gbt-latency", defaultValue = "0.017", description = "Seconds (${DEFAULT-VALUE}).")
    private double template;

    @Option(names = "--snapshot-latency", defaultValue = "0.44", description = "Seconds (${DEFAULT-VALUE}).")
    private double snapshot;

    @Option(names = "--stats-latency", defaultValue = "0.02", description = "Seconds (${DEFAULT-VALUE}).")
    private double stats;

    @Option(names = "--balances-latency", defaultValue = "0.065", description = "Seconds (${DEFAULT-VALUE}).")
    private double balances;

    @Option(names = "--reorg-watch-latency", defaultValue = "0.057", description = "Seconds (${DEFAULT-VALUE}).")
    private double reorgWatch;

    @Option(names = "--mark-mature-latency", defaultValue = "0.07", description = "Seconds (${DEFAULT-VALUE}).")
    private double markMature;

    @Option(names = "--rpc-small-latency", defaultValue = "0.002", description = "Seconds (${DEFAULT-VALUE}).")
    private double smallRpc;

    @Option(names = "--bundle-ttl", defaultValue = "10", description = "Seconds, cached mode (${DEFAULT-VALUE}).")
    private double bundleTtl;

    @Option(names = "--template-ttl", defaultValue = "2", description = "Seconds, cached mode (${DEFAULT-VALUE}).")
    private double templateTtl;

    @Option(names = "--reorg-ttl", defaultValue = "5", description = "Seconds, cached mode (${DEFAULT-VALUE}).")
    private double reconcileTtl;

    @Option(names = "--herd", defaultValue = "0", description = "Connections that come, drop and come back at once.")
    private int herd;

    @Option(names = "--storm", defaultValue = "0", description = "Connections that come with one more tip change.")
    private int storm;

    @Option(names = "--pending-first-jobs", defaultValue = "128", description = "Bound of both (${DEFAULT-VALUE}).")
    private int pending;

    @Option(names = "--output-json", paramLabel = "FILE", description = "Write the report to a file as well.")
    private Optional<Path> output = Optional.empty();

    /** Creates the command. */
    public JobsCommand() {}

    @Override
    public Integer call() throws IOException, StartFailure, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        JobsPlan plan = plan();
        LogOutput.quiet();
        Path directory = Files.createTempDirectory("prism-bench-jobs");
        JobsResult result;
        try {
            result = new JobsRun(plan, line -> {
                        err.println(line);
                        err.flush();
                    })
                    .run(directory);
        } finally {
            delete(directory);
        }
        String report =
                new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(JobsReport.json(plan, result));
        spec.commandLine().getOut().println(report);
        spec.commandLine().getOut().flush();
        if (output.isPresent()) {
            Files.writeString(output.get(), report + "\n", StandardCharsets.UTF_8);
        }
        return lost(result) ? 1 : 0;
    }

    private static boolean lost(JobsResult result) {
        return result.herd().map(herd -> herd.lost() > 0).orElse(false)
                || result.storm().map(s -> s.joined().lost() > 0).orElse(false);
    }

    private JobsPlan plan() {
        return new JobsPlan(
                Mode.valueOf(mode.toUpperCase(Locale.ROOT)) == Mode.CACHED,
                clients,
                tipFlips,
                warmUp,
                shares,
                miners,
                ctvSettlement,
                precompute,
                realBuilder,
                new Latencies(
                        seconds(template),
                        seconds(smallRpc),
                        seconds(snapshot),
                        seconds(stats),
                        seconds(balances),
                        seconds(reorgWatch),
                        seconds(markMature),
                        realBuilder ? Duration.ZERO : seconds(builder)),
                new JobsPlan.Lifetimes(seconds(bundleTtl), seconds(templateTtl), seconds(reconcileTtl)),
                herd,
                storm,
                pending);
    }

    private static Duration seconds(double value) {
        return Duration.ofMillis(Math.round(value * MILLIS));
    }

    private static void delete(Path directory) throws IOException {
        List<Path> entries;
        try (Stream<Path> walk = Files.walk(directory)) {
            entries = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path entry : entries) {
            Files.delete(entry);
        }
    }
}
