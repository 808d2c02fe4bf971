package org.prismpool.stratum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.prismpool.stratum.testing.StratumTestClient;

/** A process that runs out of descriptors goes on accepting once some are free again (trap 38), on both transports. */
@EnabledOnOs(OS.LINUX)
class DescriptorExhaustionIT {

    private static final Pattern REPORT = Pattern.compile("beats (\\d+) exhausted (\\d+) failures (\\d+) open (\\d+)");
    private static final int DESCRIPTORS = 160;

    /** What the child last said of itself. */
    private record Report(long beats, long exhausted, long failures, long open) {}

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void theAcceptLoopSurvivesAndItsHeartbeatStaysFresh(String transport) throws Exception {
        Process child = start(transport);
        List<Socket> herd = new ArrayList<>();
        try {
            AtomicReference<Report> last = new AtomicReference<>(new Report(0, 0, 0, 0));
            int port = follow(child, last);
            login(port); // loads the classes of a session: from a directory that takes descriptors
            for (int i = 0; i < DESCRIPTORS + 40; i++) {
                Socket socket = new Socket();
                socket.connect(new InetSocketAddress("127.0.0.1", port), 5000);
                herd.add(socket);
            }
            await("descriptors to run out").until(() -> last.get().exhausted() > 0);
            long beats = last.get().beats();
            await("heartbeats meanwhile").until(() -> last.get().beats() >= beats + 2);
            assertThat(last.get().open()).isPositive().isLessThan(herd.size());

            for (Socket socket : herd) {
                socket.close();
            }
            login(port);
            await("the herd to be gone").until(() -> last.get().open() == 0);
            assertThat(last.get().failures()).isZero();
        } finally {
            for (Socket socket : herd) {
                socket.close();
            }
            child.getOutputStream().close();
            if (!child.waitFor(60, TimeUnit.SECONDS)) {
                child.destroyForcibly();
            }
        }
        assertThat(child.exitValue()).isZero();
    }

    private static void login(int port) throws IOException {
        try (StratumTestClient miner = StratumTestClient.connect(port)) {
            assertThat(miner.login(WorkedExample.USER, "x").jobId()).isNotEmpty();
        }
    }

    private static Process start(String transport) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Path arguments = Files.createTempFile("small-server", ".args");
        Files.writeString(arguments, "-cp\n\"" + System.getProperty("java.class.path") + "\"\n");
        arguments.toFile().deleteOnExit();
        return new ProcessBuilder(List.of(
                        "sh",
                        "-c",
                        "ulimit -n " + DESCRIPTORS + "; exec \"$0\" \"$@\"",
                        java,
                        "-XX:-MaxFDLimit",
                        "-Xmx64m",
                        "-Dio.netty.transport.noNative=" + transport.equals("nio"),
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                        "@" + arguments,
                        SmallServer.class.getName()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Returns the child's port and keeps its newest report. */
    private static int follow(Process child, AtomicReference<Report> last) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8));
        String first = lines.readLine();
        assertThat(first).startsWith("port ");
        Thread reader = new Thread(
                () -> lines.lines().forEach(line -> {
                    Matcher report = REPORT.matcher(line);
                    if (report.matches()) {
                        last.set(
                                new Report(number(report, 1), number(report, 2), number(report, 3), number(report, 4)));
                    }
                }),
                "small-server-reports");
        reader.setDaemon(true);
        reader.start();
        await("the first report").until(() -> last.get().beats() > 0);
        return Integer.parseInt(first.substring("port ".length()));
    }

    private static long number(Matcher report, int group) {
        return Long.parseLong(report.group(group));
    }
}
