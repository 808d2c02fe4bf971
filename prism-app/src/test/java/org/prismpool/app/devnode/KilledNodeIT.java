package org.prismpool.app.devnode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.prismpool.templates.chain.Hash256;

/** A node's process is killed while it mines: every block that anybody saw is known to the next one. */
class KilledNodeIT {

    @TempDir
    private Path directory;

    @Test
    @Timeout(60)
    void noAcknowledgedBlockIsLostWhenTheProcessIsKilled() throws Exception {
        List<String> seen = new ArrayList<>();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Miner.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            readHashes(lines, 25, seen);
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(seen).hasSizeGreaterThanOrEqualTo(25);

        try (DevNode node = DevNode.start(DevNodeConfig.forTests().withDataDirectory(directory))) {
            for (int i = 0; i < seen.size(); i++) {
                assertThat(node.control().activeAt(i + 1L)).contains(Hash256.ofDisplayHex(seen.get(i)));
            }
            assertThat(node.control().mine(1)).hasSize(1);
        }
    }

    private static void readHashes(BufferedReader lines, int count, List<String> seen) throws IOException {
        String line = lines.readLine();
        while (line != null && seen.size() < count) {
            if (line.startsWith("mined ")) {
                seen.add(line.substring("mined ".length()));
            }
            line = lines.readLine();
        }
    }

    /** Runs in the process that is killed. */
    static final class Miner {

        private Miner() {}

        public static void main(String[] arguments) {
            DevNode node = DevNode.start(DevNodeConfig.forTests().withDataDirectory(Path.of(arguments[0])));
            while (node.control().tip().height() < 100_000) {
                System.out.println("mined " + node.control().mine(1).get(0).displayHex());
            }
        }
    }
}
