package org.prismpool.app.bench;

import org.prismpool.app.bench.evidence.EvidenceCommand;
import org.prismpool.app.bench.jobs.JobsCommand;
import org.prismpool.app.bench.ledger.LedgerCommand;
import org.prismpool.app.bench.payout.PayoutCommand;
import org.prismpool.app.bench.stratum.StratumBenchCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code prism bench}: asks for the path to measure (spec 08 §8.1). */
@Command(name = "bench", description = "Measure whole paths on this machine.", mixinStandardHelpOptions = true)
public final class BenchCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    private BenchCommand() {}

    /**
     * Builds the command with one subcommand for each measured path.
     *
     * @return the command, to be added to the program's command line
     */
    public static CommandLine line() {
        CommandLine line = new CommandLine(new BenchCommand());
        line.addSubcommand(new EvidenceCommand());
        line.addSubcommand(new JobsCommand());
        line.addSubcommand(new LedgerCommand());
        line.addSubcommand(new PayoutCommand());
        line.addSubcommand(new StratumBenchCommand());
        return line;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "name the path to measure");
    }
}
