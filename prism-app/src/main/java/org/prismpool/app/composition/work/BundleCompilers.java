package org.prismpool.app.composition.work;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.prismpool.app.Main;
import org.prismpool.app.metrics.BundleHelperCounters;
import org.prismpool.bundle.compile.BundleCompiler;
import org.prismpool.bundle.compile.HelperDirectory;
import org.prismpool.bundle.compile.InProcessCompiler;
import org.prismpool.bundle.compile.ShadowCompiler;
import org.prismpool.bundle.compile.SubprocessCompiler;
import org.prismpool.bundle.compile.SubprocessConfig;
import org.prismpool.config.Environment;
import org.prismpool.config.variable.BundleVariables;
import org.prismpool.config.variable.LedgerVariables;
import org.prismpool.config.variable.ShareWriterVariables;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.signing.SigningSeed;

/**
 * The configured bundle compiler and the helper that it runs now. Thread-safe.
 *
 * <p>Helper files are kept beside the recovery journal, in a directory of the operator's choice: what a dead predecessor left
 * there is found again by its successor.
 */
public final class BundleCompilers implements AutoCloseable {

    /** Name of the directory with the helper directories of all process instances. */
    public static final String DIRECTORY = "helpers";

    private final Optional<SubprocessCompiler> helper;
    private final BundleCompiler compiler;

    /**
     * Makes the configured compiler; sweeps what helpers of dead processes left.
     *
     * @param e valid environment
     * @param counters of helpers and comparisons
     * @param around what is put around the compiler
     */
    public BundleCompilers(
            Environment e, BundleHelperCounters counters, UnaryOperator<BundleCompiler> around, MonotonicClock clock) {
        Path directory = Path.of(e.get(ShareWriterVariables.SHARE_RECOVERY_PATH))
                .toAbsolutePath()
                .resolveSibling(DIRECTORY);
        HelperDirectory.sweep(directory);
        SigningSeed manifest = SigningSeed.ofHex(
                e.get(LedgerVariables.MANIFEST_SIGNING_SEED_HEX).reveal());
        SigningSeed ledger = SigningSeed.ofHex(
                e.get(LedgerVariables.LEDGER_ATTESTATION_SIGNING_SEED_HEX).reveal());
        Duration buildTimeout = e.get(BundleVariables.BUNDLE_BUILD_TIMEOUT_SECONDS);
        InProcessCompiler inProcess = new InProcessCompiler(manifest, ledger, buildTimeout, clock);
        String chosen = e.get(BundleVariables.BUNDLE_COMPILER);
        boolean shadow = chosen.equals("shadow");
        this.helper =
                shadow || chosen.equals("subprocess") ? Optional.of(helper(e, directory, counters)) : Optional.empty();
        this.compiler = around.apply(helper.<BundleCompiler>map(
                        process -> shadow ? new ShadowCompiler(inProcess, process, counters::compared) : process)
                .orElse(inProcess));
    }

    private SubprocessCompiler helper(Environment e, Path directory, BundleHelperCounters counters) {
        Optional<List<String>> command = e.find(BundleVariables.BUNDLE_COMPILER_COMMAND);
        SubprocessConfig config = SubprocessConfig.defaults(command.orElseGet(BundleCompilers::own), directory)
                .withTimes(
                        e.get(BundleVariables.BUNDLE_BUILD_TIMEOUT_SECONDS),
                        e.get(BundleVariables.AUDIT_BUNDLE_TERMINATE_GRACE_SECONDS),
                        e.get(BundleVariables.JOB_BUILD_CANCEL_GRACE_SECONDS))
                .withKeyFiles(command.isEmpty());
        return new SubprocessCompiler(
                config,
                SubprocessCompiler.Seeds.ofHex(
                        e.get(LedgerVariables.MANIFEST_SIGNING_SEED_HEX).reveal(),
                        e.get(LedgerVariables.LEDGER_ATTESTATION_SIGNING_SEED_HEX)
                                .reveal()),
                counters);
    }

    /** This program's own {@code prism audit build}: the same Java, the same classes. */
    public static List<String> own() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString()) // a helper runs in a directory of its own
                .collect(Collectors.joining(File.pathSeparator));
        return List.of(
                java,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", // a helper lives for one build
                "-cp",
                classes,
                Main.class.getName(),
                "audit",
                "build");
    }

    public BundleCompiler compiler() {
        return compiler;
    }

    /** Process id of the helper that was started last and still runs. */
    public OptionalLong helperPid() {
        return helper.map(SubprocessCompiler::helperPid).orElseGet(OptionalLong::empty);
    }

    @Override
    public void close() {
        compiler.close();
    }
}
