package org.prismpool.bundle.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.CancelSource;
import org.prismpool.lifecycle.time.CancelledException;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;

/** In-process compiler and the real tool in a process of its own give the same bytes. */
@EnabledOnOs(OS.LINUX)
class ShadowCompileIT {

    private final MonotonicClock clock = MonotonicClock.system();

    @TempDir
    Path temp;

    @Test
    void randomWindowsGiveTheSameBytesThroughARealHelper() {
        assertThat(compareWindows(5, true)).isEqualTo(5);
    }

    @Test
    @Tag("soak")
    @Timeout(1800)
    void oneThousandRandomWindowsGiveTheSameBytesThroughARealHelper() {
        int windows = Integer.getInteger("prism.windows", 1000); // fewer for a short look

        assertThat(compareWindows(windows, false)).isEqualTo(windows);
    }

    @Test
    void aHelperThatCannotBeStartedCostsTheServedWorkNothing() {
        SubprocessConfig absent = SubprocessConfig.defaults(List.of("/no/such/helper"), temp);
        try (ShadowCompiler shadow =
                new ShadowCompiler(inProcess(), new SubprocessCompiler(absent, seeds(), HelperEvents.NONE))) {
            compile(shadow, new Random(3));

            assertThat(shadow.skipped()).isEqualTo(1);
        }
    }

    @Test
    void seedsInKeyFilesAreNotAmongTheArguments() throws Exception {
        Path seen = temp.resolve("arguments");
        Path script = Files.writeString(temp.resolve("spy.sh"), "echo \"$@\" > " + seen + "; sleep 60\n");
        SubprocessConfig spied = config(List.of("/bin/sh", script.toString()), true);
        try (SubprocessCompiler helper = new SubprocessCompiler(spied, seeds(), HelperEvents.NONE)) {
            CancelSource stop = new CancelSource();
            CompletableFuture<Throwable> ended =
                    CompletableFuture.supplyAsync(() -> catchThrowable(() -> compile(helper, new Random(3), stop)));
            Awaitility.await("the helper runs")
                    .until(() -> Files.exists(seen) && !Files.readString(seen).isBlank());

            String seed = HexFormat.of().formatHex(CompileInputs.MANIFEST_SEED);
            assertThat(Files.readString(seen)).contains("--signing-key-file").doesNotContain(seed);
            stop.cancel("seen enough");
            assertThat(ended.get()).isInstanceOf(CancelledException.class);
        }
    }

    private long compareWindows(int windows, boolean keyFiles) {
        SubprocessConfig config = config(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        absolute(System.getProperty("java.class.path")),
                        AuditBuildMain.class.getName()),
                keyFiles);
        try (ShadowCompiler shadow =
                new ShadowCompiler(inProcess(), new SubprocessCompiler(config, seeds(), HelperEvents.NONE))) {
            Random random = new Random(49);
            for (int i = 0; i < windows; i++) {
                compile(shadow, random);
            }
            assertThat(shadow.mismatches()).isZero();
            return shadow.compared();
        }
    }

    private void compile(BundleCompiler compiler, Random random) {
        compile(compiler, random, CancelSignal.never());
    }

    private void compile(BundleCompiler compiler, Random random, CancelSignal cancel) {
        compiler.compile(
                CompileInputs.random(random),
                Deadline.after(Duration.ofSeconds(60), clock, "test"),
                cancel,
                CompileProgress.NONE);
    }

    private InProcessCompiler inProcess() {
        return new InProcessCompiler(CompileInputs.MANIFEST_KEY, CompileInputs.LEDGER_KEY, clock);
    }

    private static SubprocessCompiler.Seeds seeds() {
        return new SubprocessCompiler.Seeds(CompileInputs.MANIFEST_SEED, CompileInputs.LEDGER_SEED);
    }

    private SubprocessConfig config(List<String> command, boolean keyFiles) {
        return SubprocessConfig.defaults(command, temp).withKeyFiles(keyFiles);
    }

    private static String absolute(String classPath) {
        return Stream.of(classPath.split(File.pathSeparator))
                .map(entry -> new File(entry).getAbsolutePath())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
