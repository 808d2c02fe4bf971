package org.prismpool.app.bench.stratum;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.prismpool.stratum.bench.BenchConfig;
import org.prismpool.stratum.bench.BenchReport;
import org.prismpool.stratum.bench.StratumBench;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code prism bench stratum}: measures the Stratum server against a ledger that forgets everything. */
@Command(
        name = "stratum",
        description = {
            "Measure the Stratum server over loopback: submits, idle connections, a reconnect storm and the fan-out of one"
                    + " job.",
            "Server and clients share this machine, so the figures are lower bounds. The ledger is in memory."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:every connection was served", "1:a connection was refused, or the run was not possible"})
public final class StratumBenchCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(names = "--quick", description = "About two seconds with few connections instead of half a minute.")
    private boolean quick;

    @Option(
            names = "--connections",
            paramLabel = "N",
            description = "Connections of the storm and of the fan-out (5000, quick 200); two open files for each.")
    private int connections = -1;

    @Option(names = "--stalled", paramLabel = "N", description = "Readers that stop reading (50, quick 5).")
    private int stalled = -1;

    @Option(names = "--submitters", paramLabel = "N", description = "Connections that submit at once (64, quick 8).")
    private int submitters = -1;

    /** Creates the command, to be added to its parent. */
    public StratumBenchCommand() {}

    @Override
    public Integer call() throws InterruptedException, IOException {
        BenchConfig config = config();
        PrintWriter out = spec.commandLine().getOut();
        BenchReport report;
        try {
            report = new StratumBench(config).run();
        } catch (IllegalStateException notPossible) {
            spec.commandLine().getErr().println("prism bench stratum: " + notPossible.getMessage());
            spec.commandLine().getErr().flush();
            return 1;
        }
        out.print(report.text());
        out.flush();
        return report.stormFailed() == 0 ? 0 : 1;
    }

    private BenchConfig config() {
        BenchConfig base = quick ? BenchConfig.quick() : BenchConfig.full();
        try {
            return new BenchConfig(
                    submitters == -1 ? base.submitters() : submitters,
                    base.submitTime(),
                    base.idleConnections(),
                    connections == -1 ? base.stormConnections() : connections,
                    base.stormTime(),
                    stalled == -1 ? base.stalledReaders() : stalled);
        } catch (IllegalArgumentException outOfRange) {
            throw new ParameterException(spec.commandLine(), String.valueOf(outOfRange.getMessage()), outOfRange);
        }
    }
}
