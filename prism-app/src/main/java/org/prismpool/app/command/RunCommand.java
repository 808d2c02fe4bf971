package org.prismpool.app.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.prismpool.app.composition.Coordinator;
import org.prismpool.app.composition.CoordinatorOptions;
import org.prismpool.app.composition.PoolEvents;
import org.prismpool.app.composition.PoolProcess;
import org.prismpool.app.composition.PublicProcess;
import org.prismpool.app.composition.backend.StartFailure;
import org.prismpool.app.composition.settings.SettingsWithoutEffect;
import org.prismpool.app.logging.LogOutput;
import org.prismpool.config.ConfigReport;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.config.ProcessRole;
import org.prismpool.config.render.ConfigPrinter;
import org.prismpool.lifecycle.shutdown.ProcessSignals;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code prism run}: a process of the pool against an outside node and database, until a signal or the block limit. */
@Command(
        name = "run",
        description = "Run the coordinator, or the public API on its own; all configuration comes from the environment"
                + " (see: prism config explain).",
        mixinStandardHelpOptions = true,
        versionProvider = PrismVersion.class)
final class RunCommand implements Callable<Integer> {

    private static final Logger LOG = LoggerFactory.getLogger(RunCommand.class);

    private final Map<String, String> process;

    @Spec
    private CommandSpec spec;

    @Mixin
    private EnvironmentFiles files = new EnvironmentFiles();

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            defaultValue = "all",
            description = "all: the coordinator with the public API and the dashboard; coordinator: without them;"
                    + " public: only those, on a database that is only read (${DEFAULT-VALUE}).")
    private ProcessRole role = ProcessRole.ALL;

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text or json (${DEFAULT-VALUE}).")
    private LogOutput.Format logFormat = LogOutput.Format.TEXT;

    /** What is shown besides the log. */
    enum Ui {
        /** Nothing. */
        NONE,
        /** One line on standard error for each step of the start and each second of a stop. */
        PLAIN,
        /** The numbers of the pool below the log, repainted twice a second. */
        LIVE
    }

    @Option(
            names = "--ui",
            paramLabel = "UI",
            description =
                    "none; plain: the steps of start and stop on standard error; live: the pool's numbers below the log"
                            + " (live on a terminal, else plain).")
    private Optional<Ui> ui = Optional.empty();

    RunCommand(Map<String, String> process) {
        this.process = process;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        Map<String, String> texts = files.over(process);
        ConfigReport report = PrismConfiguration.loader(role).load(texts);
        err.print(report.render());
        List<String> idle = SettingsWithoutEffect.given(texts, role);
        idle.forEach(name -> err.println("WARNING " + name + ": is accepted and nothing in this program reads it"));
        err.flush();
        if (!report.ok()) {
            err.println("prism run: the configuration has " + report.errors().size()
                    + " error(s), nothing was started; prism config explain NAME says more");
            err.flush();
            return 1;
        }
        Optional<LiveScreen> screen = shown() == Ui.LIVE ? Optional.of(new LiveScreen(System.out)) : Optional.empty();
        screen.ifPresentOrElse(
                live -> LogOutput.toStream(live.lines(), logFormat), () -> LogOutput.toConsole(logFormat));
        ConfigPrinter printer = new ConfigPrinter(PrismConfiguration.registry(role));
        LOG.atInfo()
                .addKeyValue("version", PrismVersion.version())
                .addKeyValue("role", role.word())
                .addKeyValue("fingerprint", printer.fingerprint(report.environment()))
                .addKeyValue(
                        "settings",
                        printer.print(report.environment(), true)
                                .replace('\n', ' ')
                                .strip())
                .log("prism " + (role.coordinates() ? "coordinator" : "public process") + " starts");
        try {
            return role.coordinates()
                    ? coordinate(report, report.warnings().size() + idle.size(), screen)
                    : run(new PublicProcess(report.environment(), Optional.empty(), events(err)), err);
        } finally {
            LogOutput.flush();
        }
    }

    private int coordinate(ConfigReport report, int warnings, Optional<LiveScreen> screen) throws InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        Coordinator coordinator = new Coordinator(
                report.environment(),
                CoordinatorOptions.byEnvironment(warnings).withPublic(role.servesPublic()),
                events(err));
        Optional<LivePool> painting =
                screen.map(live -> LivePool.start(live, coordinator::view, MonotonicClock.system()));
        try {
            return run(coordinator, err);
        } finally {
            painting.ifPresent(LivePool::close);
        }
    }

    /** On a terminal the numbers of a coordinator are repainted, elsewhere the steps are told. */
    private Ui shown() {
        boolean terminal = role.coordinates()
                && CommandLine.Help.Ansi.AUTO.enabled()
                && !process.getOrDefault("TERM", "dumb").equals("dumb");
        return ui.filter(wanted -> wanted != Ui.LIVE || terminal).orElse(terminal && ui.isEmpty() ? Ui.LIVE : Ui.PLAIN);
    }

    private PoolEvents events(PrintWriter err) {
        if (shown() != Ui.PLAIN) {
            return PoolEvents.NONE; // the log tells the steps as well
        }
        return new PoolEvents() {
            @Override
            public void progress(String text) {
                err.println("prism run: " + text);
                err.flush();
            }
        };
    }

    private static int run(PoolProcess running, PrintWriter err) throws InterruptedException {
        ProcessSignals.onStop(number -> running.requestStop(OptionalInt.of(number)));
        int status = 0;
        String reason = "serve_startup_exit";
        try {
            if (running.start()) {
                reason = "serve_exit";
                running.awaitStop();
            }
        } catch (StartFailure refused) {
            err.println("prism run: " + refused.getMessage());
            err.flush();
            LOG.atError().setCause(refused).log("start failed");
            status = 1;
        } catch (RuntimeException unexpected) {
            err.println("prism run: unexpected " + unexpected.getClass().getSimpleName() + ", see the log");
            err.flush();
            LOG.atError().setCause(unexpected).log("the process failed");
            status = 1;
        } finally {
            running.stop(reason);
        }
        return status;
    }
}
