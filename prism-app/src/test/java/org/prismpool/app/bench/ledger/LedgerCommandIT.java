package org.prismpool.app.bench.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class LedgerCommandIT {

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int bench(String... arguments) {
        return new CommandLine(new LedgerCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    @Test
    void theReportNamesServerRatesAndPlanAndTheGateDecidesTheStatus() throws Exception {
        Path report = directory.resolve("report.json");

        int status = bench(
                "--shares=300",
                "--window-shares=0",
                "--min-shares-per-second=100000000",
                "--json",
                "--report=" + report);

        JsonNode document = new ObjectMapper().readTree(out.toString());
        assertThat(document.path("schema").asText()).isEqualTo("qbit.prism.postgres-throughput.v1");
        assertThat(document.path("durability").toString())
                .isEqualTo("{\"fsync\":\"on\",\"full_page_writes\":\"on\",\"synchronous_commit\":\"on\"}");
        assertThat(document.at("/throughput/default_settings/ratio").asDouble()).isPositive();
        assertThat(document.path("query_plan")).isNotEmpty();
        assertThat(new ObjectMapper().readTree(Files.readString(report))).isEqualTo(document);
        assertThat(status).isEqualTo(1);
        assertThat(err.toString()).contains("batches of 64", "are below the gate of 100000000");
    }

    @Test
    void aServerThatDoesNotAnswerIsNamedWithoutItsPassword() {
        int status = bench("--database-url", "postgresql://u:db-secret@127.0.0.1:1/postgres");

        assertThat(status).isEqualTo(1);
        assertThat(err.toString()).contains("prism bench ledger: ").doesNotContain("db-secret");
    }
}
