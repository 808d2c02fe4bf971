package org.prismpool.bundle.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.bundle.BuildPhase;
import org.prismpool.lifecycle.time.CancelSignal;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.payout.audit.AuditBuildInput;
import org.prismpool.payout.audit.JobSummary;

@EnabledOnOs(OS.LINUX)
class SubprocessCompilerIT {

    @TempDir
    Path temp;

    @Test
    void aHelperThatTakesTheContractsOptionsGivesTheBytesOfTheInProcessCompiler() throws Exception {
        MonotonicClock clock = MonotonicClock.system();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classPath = System.getProperty("java.class.path");
        Map<BuildPhase, Long> phases = new ConcurrentHashMap<>();
        CompileProgress progress = new CompileProgress() {
            @Override
            public void phase(BuildPhase phase, long nanos) {
                phases.put(phase, nanos);
            }
        };
        try (SubprocessCompiler helper = new SubprocessCompiler(
                        SubprocessConfig.defaults(
                                List.of(
                                        java,
                                        "-XX:TieredStopAtLevel=1",
                                        "-cp",
                                        absolute(classPath),
                                        HelperMain.class.getName()),
                                temp),
                        new SubprocessCompiler.Seeds(CompileInputs.MANIFEST_SEED, CompileInputs.LEDGER_SEED),
                        HelperEvents.NONE);
                InProcessCompiler inProcess =
                        new InProcessCompiler(CompileInputs.MANIFEST_KEY, CompileInputs.LEDGER_KEY, clock)) {
            Random random = new Random(7);
            for (int i = 0; i < 3; i++) {
                AuditBuildInput input = CompileInputs.random(random);
                Deadline deadline = Deadline.after(Duration.ofSeconds(60), clock, "test");
                JobSummary served = helper.compile(input, deadline, CancelSignal.never(), progress);

                assertThat(served.canonicalBytes())
                        .isEqualTo(inProcess
                                .compile(input, deadline, CancelSignal.never(), CompileProgress.NONE)
                                .canonicalBytes());
            }
        }

        assertThat(phases).containsEntry(BuildPhase.SIGNING_VERIFICATION, 250_000_000L);
        try (Stream<Path> left = Files.list(temp)) {
            assertThat(left).isEmpty();
        }
    }

    private static String absolute(String classPath) {
        return Stream.of(classPath.split(File.pathSeparator))
                .map(entry -> new File(entry).getAbsolutePath())
                .reduce((a, b) -> a + File.pathSeparator + b)
                .orElseThrow();
    }
}
