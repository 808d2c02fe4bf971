package org.prismpool.app.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 in the middle of mining, then a restart on the same directory: no acknowledged share is lost or doubled. */
@Tag("soak")
class KilledDemoIT {

    private static final Pattern SHARES = Pattern.compile("shares (\\d+) \\(");

    @TempDir
    private Path directory;

    @Test
    @Timeout(600)
    void keepsEveryAcknowledgedShare() throws Exception {
        Path data = directory.resolve("data");
        Path first = directory.resolve("first.txt");
        Process killed = demo(first, "--data-dir", data.toString(), "--blocks", "1000");
        await().atMost(Duration.ofMinutes(2)).until(() -> acknowledged(first) >= 5);
        killed.destroyForcibly();
        assertThat(killed.waitFor(30, TimeUnit.SECONDS)).isTrue();
        long seen = acknowledged(first);

        Path second = directory.resolve("second.txt");
        Process restarted = demo(second, "--data-dir", data.toString(), "--blocks", "1");
        assertThat(restarted.waitFor(4, TimeUnit.MINUTES)).isTrue();
        assertThat(restarted.exitValue()).as(Files.readString(second)).isZero();

        try (EmbeddedDatabase database = EmbeddedDatabase.start(data.resolve("postgres"))) {
            String url = "jdbc:" + database.dsn().replace("postgres@", "") + "?user=postgres";
            try (Connection connection = DriverManager.getConnection(url)) {
                assertThat(number(connection, "SELECT count(*) FROM qbit_share_ledger"))
                        .isGreaterThanOrEqualTo(seen);
                assertThat(number(connection, "SELECT count(*) - count(DISTINCT share_id) FROM qbit_share_ledger"))
                        .isZero();
                assertThat(number(connection, "SELECT count(*) FROM qbit_pool_blocks WHERE chain_state = 'confirmed'"))
                        .isPositive();
            }
        }
    }

    private static long number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static long acknowledged(Path output) throws IOException {
        long last = 0;
        Matcher matcher = SHARES.matcher(Files.readString(output));
        while (matcher.find()) {
            last = Long.parseLong(matcher.group(1));
        }
        return last;
    }

    private static Process demo(Path output, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "org.prismpool.app.Main",
                "demo"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }
}
