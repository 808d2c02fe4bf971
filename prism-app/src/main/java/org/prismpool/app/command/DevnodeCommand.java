package org.prismpool.app.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.prismpool.app.devnode.DevNode;
import org.prismpool.app.devnode.DevNodeConfig;
import org.prismpool.app.devnode.DevNodeHttp;
import org.prismpool.app.devnode.DevNodeHttpConfig;
import org.prismpool.lifecycle.shutdown.ProcessSignals;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code prism devnode}: the development node alone, for tests of other programs. */
@Command(
        name = "devnode",
        description = "Run the development node: a regtest-like chain with real block validation.",
        mixinStandardHelpOptions = true,
        versionProvider = PrismVersion.class)
final class DevnodeCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(names = "--port", defaultValue = "18452", description = "RPC port, 0 for a free one (${DEFAULT-VALUE}).")
    private int port;

    @Option(names = "--user", defaultValue = "prism", description = "RPC user (${DEFAULT-VALUE}).")
    private String user = "prism";

    @Option(
            names = "--password",
            interactive = true,
            arity = "0..1",
            description = "RPC password (prism when not given).")
    private String password = "";

    @Option(names = "--data-dir", paramLabel = "DIR", description = "Keep the chain here; in memory otherwise.")
    private Optional<Path> directory = Optional.empty();

    @Option(names = "--control", description = "Answer POST /control: reorgs, faults, mempool.")
    private boolean control;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        DevNodeConfig config =
                directory.map(DevNodeConfig.forDemo()::withDataDirectory).orElseGet(DevNodeConfig::forDemo);
        String secret = password.isEmpty() ? "prism" : password;
        CountDownLatch stop = new CountDownLatch(1);
        try (DevNode node = DevNode.start(config);
                DevNodeHttp http = DevNodeHttp.start(
                        DevNodeHttpConfig.onLoopback(user, secret)
                                .withPort(port)
                                .withControlEnabled(control),
                        node)) {
            ProcessSignals.onStop(number -> stop.countDown());
            out.println("development node: " + http.url() + " user " + user);
            out.flush();
            while (!stop.await(1, TimeUnit.SECONDS)) {
                if (node.control().stopRequests() > 0) {
                    break;
                }
            }
        }
        return 0;
    }
}
