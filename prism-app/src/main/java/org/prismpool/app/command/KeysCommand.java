package org.prismpool.app.command;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.prismpool.config.ConfigReport;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.config.Secret;
import org.prismpool.config.variable.LedgerVariables;
import org.prismpool.payout.tool.KeyTool;
import org.prismpool.payout.tool.ToolStreams;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code prism keys}: makes and checks signing seeds; a seed is never an argument. */
@Command(
        name = "keys",
        description = "Generate and check signing seeds.",
        mixinStandardHelpOptions = true,
        versionProvider = PrismVersion.class)
final class KeysCommand implements Runnable {

    private final Map<String, String> process;

    @Spec
    private CommandSpec spec;

    @Mixin
    private EnvironmentFiles files = new EnvironmentFiles();

    private final Supplier<ToolStreams> streams;

    KeysCommand(Map<String, String> process, Supplier<ToolStreams> streams) {
        this.process = process;
        this.streams = streams;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is needed");
    }

    @Command(name = "generate", description = "Make a new 32-byte seed.", mixinStandardHelpOptions = true)
    int generate(
            @Option(names = "--out", paramLabel = "FILE", description = "New file, readable by its owner only.")
                    Optional<Path> out) {
        return KeyTool.generate("prism keys generate", out, new SecureRandom(), streams.get());
    }

    @Command(
            name = "public",
            description = "Print the public key of a seed from a file or standard input.",
            mixinStandardHelpOptions = true)
    int publicKey(
            @Option(names = "--file", paramLabel = "FILE", description = "File with the seed.") Optional<Path> file) {
        return KeyTool.publicKey("prism keys public", file, streams.get());
    }

    @Command(
            name = "check",
            description = "Check that the trusted ledger key belongs to the attestation seed.",
            mixinStandardHelpOptions = true)
    int check() throws IOException {
        ConfigReport report = PrismConfiguration.loader().load(files.over(process));
        Optional<String> trusted = report.environment().find(LedgerVariables.LEDGER_WRITER_PUBLIC_KEY_HEX);
        Optional<Secret> seed = report.environment().find(LedgerVariables.LEDGER_ATTESTATION_SIGNING_SEED_HEX);
        if (trusted.isEmpty() || seed.isEmpty()) {
            spec.commandLine()
                    .getErr()
                    .println("prism keys check: set PRISM_LEDGER_WRITER_PUBLIC_KEY_HEX and"
                            + " PRISM_LEDGER_ATTESTATION_SIGNING_SEED_HEX");
            return 1;
        }
        return KeyTool.check("prism keys check", trusted.get(), seed.get().reveal(), streams.get());
    }
}
