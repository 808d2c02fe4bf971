package org.prismpool.app.bench.payout;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PayoutCommandTest {

    @Test
    void everyPathIsMeasuredAndReported(@TempDir Path folder) throws IOException {
        Path report = folder.resolve("report.json");
        StringWriter out = new StringWriter();
        CommandLine line = new CommandLine(new PayoutCommand());
        line.setOut(new PrintWriter(out));

        int exit = line.execute(
                "--shares=600",
                "--miners=20",
                "--rounds=1",
                "--warm-up-seconds=0",
                "--ledger-ids",
                "--command-line",
                "--output-json=" + report);

        assertThat(exit).isZero();
        JsonNode json = new ObjectMapper().readTree(report.toFile());
        assertThat(json.get("shares").asInt()).isEqualTo(600);
        assertThat(json.get("figures").findValuesAsText("name"))
                .containsExactly(
                        "job summary, fresh window",
                        "job summary, known window, new template",
                        "window and payouts after 1000 new shares",
                        "job summary after 1000 new shares",
                        "SHA-256 of as many bytes, nothing else",
                        "audit build --canonical-output",
                        "audit verify");
        assertThat(json.get("figures").findValues("median_milliseconds")).allMatch(value -> value.asDouble() > 0);
        assertThat(out.toString()).contains("of the target", "audit verify");
    }

    @Test
    void moreMinersThanSharesAreAUsageError() {
        CommandLine line = new CommandLine(new PayoutCommand());
        line.setErr(new PrintWriter(new StringWriter()));

        assertThat(line.execute("--shares=1", "--miners=2")).isEqualTo(2);
    }
}
