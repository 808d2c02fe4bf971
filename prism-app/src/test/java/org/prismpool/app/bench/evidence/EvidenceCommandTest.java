package org.prismpool.app.bench.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.prismpool.app.bench.BenchCommand;
import picocli.CommandLine;

class EvidenceCommandTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Instant NOW = Instant.parse("2026-12-01T12:00:00Z");
    private static final String REVISION = "ab".repeat(20);
    private static final String IMAGE = "sha256:" + "cd".repeat(32);
    private static final String PROFILE = "ef".repeat(32);
    private static final Map<String, String> CONFIGURATION = configuration();

    @TempDir
    private Path directory;

    private static Map<String, String> configuration() {
        Map<String, String> values = new TreeMap<>();
        CapacityEvidence.BOUND.forEach(name -> values.put(name, "15"));
        values.put("PRISM_STRATUM_SHARE_DIFF", "1024");
        values.put("PRISM_STRATUM_VARDIFF_MIN_DIFF", "1");
        values.put("PRISM_STRATUM_VARDIFF_START_DIFF", "1024");
        values.put("PRISM_STRATUM_VARDIFF_MAX_DIFF", "1000000");
        values.put("PRISM_SHARE_COMMIT_BATCH_SIZE", "64");
        return values;
    }

    /** 200 shares/s over 600 s against a forecast of 100, the contract's example. */
    private static ObjectNode valid() {
        ObjectNode document = JSON.createObjectNode();
        document.put("schema", "qbit-prism-capacity-evidence/v2");
        document.put("artifact_kind", "qualification");
        document.put("test_path", "stratum-to-postgres");
        document.put("generated_at", "2026-12-01T11:00:00Z");
        document.put("run_id", "0b0f5f0e-9f5c-4f6b-8d3a-2f1f0a9c7d55");
        document.putObject("subject")
                .put("coordinator_revision", REVISION)
                .put("coordinator_image_digest", IMAGE)
                .put("postgres_server_version", "17.5")
                .put("database_profile_sha256", PROFILE);
        document.putObject("durability")
                .put("fsync", "on")
                .put("full_page_writes", "on")
                .put("synchronous_commit", "on");
        CONFIGURATION.forEach(document.putObject("configuration")::put);
        document.put("forecast_peak_shares_per_second", 100);
        document.put("test_duration_seconds", 600);
        counts(document, 120_000);
        document.put("rejected_valid_shares", 0);
        document.put("missing_acknowledged_share_ids", 0);
        document.put("unexpected_committed_share_ids", 0);
        document.put("acknowledged_share_ids_sha256", "12".repeat(32));
        document.put("postgres_share_ids_sha256", "12".repeat(32));
        document.put("ack_p99_limit_milliseconds", 50);
        ObjectNode phases = document.putObject("phases");
        phase(phases, "steady_state", 300);
        phase(phases, "reconnect", 200).put("reconnect_events", 10);
        phase(phases, "slow_database", 100).put("database_delay_milliseconds", 10);
        return document;
    }

    private static ObjectNode phase(ObjectNode phases, String name, int seconds) {
        ObjectNode phase = phases.putObject(name).put("duration_seconds", seconds);
        counts(phase, 200L * seconds);
        return phase;
    }

    private static void counts(ObjectNode part, long shares) {
        part.put("offered_valid_shares", shares);
        part.put("acknowledged_shares", shares);
        part.put("postgres_unique_committed_shares", shares);
        part.putObject("ack_latency_milliseconds").put("p50", 6).put("p99", 40);
    }

    private static EvidenceExpectations expected(Map<String, String> configuration) {
        return new EvidenceExpectations(
                configuration,
                REVISION,
                IMAGE,
                "17.5",
                PROFILE,
                BigDecimal.valueOf(100),
                BigDecimal.valueOf(50),
                Duration.ofDays(1),
                false);
    }

    private static void refused(Consumer<ObjectNode> change, String reason) {
        ObjectNode document = valid();
        change.accept(document);
        assertThatThrownBy(() -> CapacityEvidence.check(document.toString(), expected(CONFIGURATION), NOW))
                .as(reason)
                .isInstanceOf(InvalidEvidenceException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void theContractsExampleIsAccepted() {
        CapacityEvidence.Proof proof = CapacityEvidence.check(valid().toString(), expected(CONFIGURATION), NOW);

        assertThat(proof.sharesPerSecond()).isEqualByComparingTo("200");
        assertThat(proof.reserve()).isEqualByComparingTo("2");
        assertThat(proof.p50()).isEqualByComparingTo("6");
        assertThat(proof.p99()).isEqualByComparingTo("40");
        assertThat(proof.committed()).isEqualTo(120_000);
    }

    @ParameterizedTest
    @CsvSource({
        "'',schema,\"v1\",schema is not",
        "'',artifact_kind,\"example\",artifact_kind is not qualification",
        "'',test_path,\"other\",test_path is not",
        "'',generated_at,\"yesterday\",generated_at is no RFC 3339 time",
        "'',generated_at,\"2026-11-30T11:59:59Z\",generated_at is older",
        "'',generated_at,\"2026-12-01T12:05:01Z\",generated_at is in the future",
        "'',run_id,\"00000000-0000-0000-0000-000000000000\",run_id is zero",
        "'',run_id,\"x\",run_id is malformed",
        "/subject,coordinator_revision,\"ab\",subject.coordinator_revision is malformed",
        "/subject,coordinator_image_digest,\"sha256:00\",subject.coordinator_image_digest is malformed",
        "/subject,postgres_server_version,\"16\",subject.postgres_server_version is not 17.5",
        "/durability,fsync,\"off\",durability.fsync is not on",
        "/durability,full_page_writes,\"off\",durability.full_page_writes is not on",
        "/durability,synchronous_commit,\"local\",durability.synchronous_commit is not on",
        "/configuration,PRISM_SHARE_COMMIT_BATCH_SIZE,\"128\",configuration.PRISM_SHARE_COMMIT_BATCH_SIZE is not 64",
        "'',forecast_peak_shares_per_second,90,forecast_peak_shares_per_second is not 100",
        "'',ack_p99_limit_milliseconds,60,ack_p99_limit_milliseconds is not 50",
        "'',rejected_valid_shares,1,rejected_valid_shares is not 0",
        "'',missing_acknowledged_share_ids,1,missing_acknowledged_share_ids is not 0",
        "'',unexpected_committed_share_ids,1,unexpected_committed_share_ids is not 0",
        "'',acknowledged_shares,119999,acknowledged_shares differs",
        "'',postgres_unique_committed_shares,119999,postgres_unique_committed_shares differs",
        "'',postgres_share_ids_sha256,\"x\",postgres_share_ids_sha256 is malformed",
        "'',test_duration_seconds,599,test_duration_seconds",
        "'',test_duration_seconds,601,offered_valid_shares is below twice the forecast",
        "/ack_latency_milliseconds,p99,50.1,ack_latency_milliseconds.p99 is above the limit",
        "/ack_latency_milliseconds,p50,41,ack_latency_milliseconds.p50 is above p99",
        "/phases/slow_database/ack_latency_milliseconds,p99,51,p99 is above the limit",
        "/phases/steady_state,duration_seconds,59,phases.steady_state.duration_seconds is below 60",
        "/phases/steady_state,offered_valid_shares,1,phases.steady_state.acknowledged_shares differs",
        "/phases/reconnect,reconnect_events,9,phases.reconnect.reconnect_events is below 10",
        "/phases/slow_database,database_delay_milliseconds,9,database_delay_milliseconds is below 10",
        "'',surprise,1,surprise is unknown"
    })
    void eachBrokenRuleIsNamed(String path, String member, String value, String reason) {
        refused(
                document -> {
                    try {
                        ((ObjectNode) document.at(path)).set(member, JSON.readTree(value));
                    } catch (IOException broken) {
                        throw new IllegalArgumentException(broken);
                    }
                },
                reason);
    }

    @Test
    void digestsMustAgreeAndEveryMemberMustBeThereOnce() {
        refused(d -> d.put("postgres_share_ids_sha256", "13".repeat(32)), "postgres_share_ids_sha256 is not");
        for (String member : List.of("run_id", "phases", "rejected_valid_shares")) {
            refused(d -> d.remove(member), member + " is missing");
        }
        String twice = valid().toString().replaceFirst("\"run_id\"", "\"schema\":\"x\",\"run_id\"");
        assertThatThrownBy(() -> CapacityEvidence.check(twice, expected(CONFIGURATION), NOW))
                .isInstanceOf(InvalidEvidenceException.class)
                .hasMessageContaining("not one JSON document");
    }

    @ParameterizedTest
    @CsvSource({
        "PRISM_STRATUM_SHARE_DIFF,1e-9,placeholder 1e-9",
        "PRISM_STRATUM_SHARE_DIFF,0.000000001,placeholder 1e-9",
        "PRISM_STRATUM_VARDIFF_MIN_DIFF,2000,not between",
        "PRISM_STRATUM_VARDIFF_MAX_DIFF,1000,not between",
        "PRISM_SHARE_COMMIT_TIMEOUT_SECONDS,0.04,above the commit timeout"
    })
    void aDeploymentThatProvesNothingIsRefusedThoughItIsTheExpectedOne(String name, String value, String reason) {
        Map<String, String> configuration = new TreeMap<>(CONFIGURATION);
        configuration.put(name, value);
        ObjectNode document = valid();
        configuration.forEach(document.putObject("configuration")::put);

        assertThatThrownBy(() -> CapacityEvidence.check(document.toString(), expected(configuration), NOW))
                .isInstanceOf(InvalidEvidenceException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void theCommandAnswersInOneLine() throws IOException {
        ObjectNode document = valid();
        document.put("generated_at", Instant.now().toString());
        Path file = Files.writeString(directory.resolve("evidence.json"), document.toString());
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = BenchCommand.line();
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        List<String> arguments = new ArrayList<>(List.of(
                "evidence",
                file.toString(),
                "--expect-coordinator-revision=" + REVISION,
                "--expect-coordinator-image-digest=" + IMAGE,
                "--expect-postgres-server-version=17.5",
                "--expect-database-profile-sha256=" + PROFILE,
                "--forecast-peak-shares-per-second=100",
                "--ack-p99-limit-milliseconds=50"));
        CONFIGURATION.forEach((name, value) -> arguments.add("--expect=" + name + "=" + value));

        assertThat(line.execute(arguments.toArray(String[]::new))).isZero();
        assertThat(out.toString())
                .isEqualToIgnoringNewLines(
                        "capacity evidence valid: rate=200.00 capacity=2.00x ACK p50=6ms p99=40ms committed=120000");

        arguments.remove(arguments.size() - 1);
        assertThat(line.execute(arguments.toArray(String[]::new))).isEqualTo(1);
        assertThat(err.toString()).contains("capacity evidence invalid: no value is expected of PRISM_");
    }
}
