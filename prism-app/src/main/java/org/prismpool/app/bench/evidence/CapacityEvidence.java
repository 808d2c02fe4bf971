package org.prismpool.app.bench.evidence;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Checks evidence of a load test from miner to database, {@code qbit-prism-capacity-evidence/v2} (spec 06 §8.1, 08
 * §8.5). Pure.
 */
final class CapacityEvidence {

    /** Variables that a test binds: with another value of one of them it says nothing. */
    static final List<String> BOUND = List.of(
            "PRISM_STRATUM_SHARE_DIFF",
            "PRISM_STRATUM_VARDIFF",
            "PRISM_STRATUM_VARDIFF_TARGET_SECONDS",
            "PRISM_STRATUM_VARDIFF_MIN_DIFF",
            "PRISM_STRATUM_VARDIFF_START_DIFF",
            "PRISM_STRATUM_VARDIFF_MAX_DIFF",
            "PRISM_STRATUM_VARDIFF_RETARGET_SECONDS",
            "PRISM_STRATUM_VARDIFF_MAX_STEP_UP",
            "PRISM_STRATUM_VARDIFF_MAX_STEP_DOWN",
            "PRISM_STRATUM_VARDIFF_EWMA_ALPHA",
            "PRISM_STRATUM_VARDIFF_RETARGET_TOLERANCE",
            "PRISM_STRATUM_VARDIFF_IDLE_SWEEP_SECONDS",
            "PRISM_SHARE_COMMIT_BATCH_SIZE",
            "PRISM_SHARE_COMMIT_LINGER_MILLISECONDS",
            "PRISM_SHARE_COMMIT_TIMEOUT_SECONDS",
            "PRISM_STRATUM_SEND_TIMEOUT_SECONDS");

    private static final List<String> COUNTS =
            List.of("offered_valid_shares", "acknowledged_shares", "postgres_unique_committed_shares");
    private static final List<String> PHASE = Stream.concat(
                    COUNTS.stream(), Stream.of("duration_seconds", "ack_latency_milliseconds"))
            .toList();
    private static final List<String> DOCUMENT = List.of(
            "schema",
            "artifact_kind",
            "test_path",
            "generated_at",
            "run_id",
            "subject",
            "durability",
            "configuration",
            "forecast_peak_shares_per_second",
            "test_duration_seconds",
            "offered_valid_shares",
            "acknowledged_shares",
            "postgres_unique_committed_shares",
            "rejected_valid_shares",
            "missing_acknowledged_share_ids",
            "unexpected_committed_share_ids",
            "acknowledged_share_ids_sha256",
            "postgres_share_ids_sha256",
            "ack_latency_milliseconds",
            "ack_p99_limit_milliseconds",
            "phases");

    private static final Duration MOST_SKEW = Duration.ofSeconds(300);
    private static final BigDecimal RESERVE = BigDecimal.valueOf(2);
    private static final BigDecimal SHORTEST_PHASE = BigDecimal.valueOf(60);
    private static final BigDecimal PLACEHOLDER_DIFFICULTY = new BigDecimal("1e-9");
    private static final String SHA256 = "[0-9a-f]{64}";

    private final EvidenceExpectations expected;
    private final EvidenceObject document;

    private CapacityEvidence(EvidenceExpectations expected, EvidenceObject document) {
        this.expected = expected;
        this.document = document;
    }

    /**
     * What valid evidence proves.
     *
     * @param sharesPerSecond committed shares per second over the whole test
     * @param reserve that rate as a multiple of the forecast
     * @param p50 median acknowledgement in milliseconds
     * @param p99 99th percentile in milliseconds
     * @param committed shares of the test
     */
    record Proof(BigDecimal sharesPerSecond, BigDecimal reserve, BigDecimal p50, BigDecimal p99, long committed) {}

    /**
     * Checks a document.
     *
     * @param json its text
     * @param expected the deployment at hand
     * @param now time of the check
     * @return what it proves
     * @throws InvalidEvidenceException naming the first rule that it breaks
     */
    static Proof check(String json, EvidenceExpectations expected, Instant now) {
        CapacityEvidence evidence = new CapacityEvidence(expected, EvidenceObject.document(json, DOCUMENT));
        evidence.identity(now);
        evidence.subject();
        evidence.configuration();
        return evidence.load();
    }

    private void identity(Instant now) {
        document.equal("schema", "qbit-prism-capacity-evidence/v2");
        String kind = document.text("artifact_kind");
        if (!kind.equals("qualification") && !(kind.equals("example") && expected.examples())) {
            throw new InvalidEvidenceException("artifact_kind is not qualification");
        }
        document.equal("test_path", "stratum-to-postgres");
        Instant generated = generatedAt();
        if (generated.isAfter(now.plus(MOST_SKEW))) {
            throw new InvalidEvidenceException("generated_at is in the future");
        }
        if (generated.isBefore(now.minus(expected.maxAge()))) {
            throw new InvalidEvidenceException(
                    "generated_at is older than " + expected.maxAge().toSeconds() + " s");
        }
        String run = document.matching("run_id", "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
        if (UUID.fromString(run).equals(new UUID(0, 0))) {
            throw new InvalidEvidenceException("run_id is zero");
        }
    }

    private Instant generatedAt() {
        try {
            return OffsetDateTime.parse(document.text("generated_at")).toInstant();
        } catch (DateTimeParseException broken) {
            throw new InvalidEvidenceException("generated_at is no RFC 3339 time");
        }
    }

    private void subject() {
        EvidenceObject subject = document.object(
                "subject",
                List.of(
                        "coordinator_revision",
                        "coordinator_image_digest",
                        "postgres_server_version",
                        "database_profile_sha256"));
        subject.matching("coordinator_revision", "[0-9a-f]{40}");
        subject.matching("coordinator_image_digest", "sha256:" + SHA256);
        subject.matching("database_profile_sha256", SHA256);
        subject.equal("coordinator_revision", expected.coordinatorRevision());
        subject.equal("coordinator_image_digest", expected.coordinatorImageDigest());
        subject.equal("postgres_server_version", expected.postgresServerVersion());
        subject.equal("database_profile_sha256", expected.databaseProfileSha256());
        List<String> settings = List.of("fsync", "full_page_writes", "synchronous_commit");
        EvidenceObject durability = document.object("durability", settings);
        settings.forEach(setting -> durability.equal(setting, "on"));
    }

    private void configuration() {
        EvidenceObject configuration = document.object("configuration", BOUND);
        for (String name : BOUND) {
            String value = configuration.setting(name);
            String wanted = expected.configuration().get(name);
            if (wanted == null) {
                throw new InvalidEvidenceException("no value is expected of " + name);
            }
            if (!value.equals(wanted)) {
                throw new InvalidEvidenceException("configuration." + name + " is not " + wanted);
            }
        }
        BigDecimal least = difficulty(configuration, "PRISM_STRATUM_VARDIFF_MIN_DIFF");
        BigDecimal start = difficulty(configuration, "PRISM_STRATUM_VARDIFF_START_DIFF");
        BigDecimal most = difficulty(configuration, "PRISM_STRATUM_VARDIFF_MAX_DIFF");
        difficulty(configuration, "PRISM_STRATUM_SHARE_DIFF");
        if (least.compareTo(start) > 0 || start.compareTo(most) > 0) {
            throw new InvalidEvidenceException("the start difficulty is not between the least and the most");
        }
    }

    private static BigDecimal difficulty(EvidenceObject configuration, String name) {
        BigDecimal value = number(configuration, name);
        if (value.compareTo(PLACEHOLDER_DIFFICULTY) == 0) {
            throw new InvalidEvidenceException(configuration.at(name) + " is the placeholder 1e-9");
        }
        return value;
    }

    private static BigDecimal number(EvidenceObject configuration, String name) {
        try {
            return new BigDecimal(configuration.setting(name));
        } catch (NumberFormatException broken) {
            throw new InvalidEvidenceException(configuration.at(name) + " is not a number");
        }
    }

    private Proof load() {
        equal("forecast_peak_shares_per_second", expected.forecastPeakSharesPerSecond());
        equal("ack_p99_limit_milliseconds", expected.ackP99LimitMilliseconds());
        BigDecimal timeout = number(document.object("configuration", BOUND), "PRISM_SHARE_COMMIT_TIMEOUT_SECONDS")
                .movePointRight(3);
        if (expected.ackP99LimitMilliseconds().compareTo(timeout) > 0) {
            throw new InvalidEvidenceException("ack_p99_limit_milliseconds is above the commit timeout");
        }
        document.zero("rejected_valid_shares");
        document.zero("missing_acknowledged_share_ids");
        document.zero("unexpected_committed_share_ids");
        String acknowledged = document.matching("acknowledged_share_ids_sha256", SHA256);
        document.matching("postgres_share_ids_sha256", SHA256);
        document.equal("postgres_share_ids_sha256", acknowledged);
        BigDecimal duration = document.positive("test_duration_seconds");
        BigDecimal rate = rate(document, duration);
        phases(duration);
        EvidenceObject latency = latency(document);
        return new Proof(
                rate,
                rate.divide(expected.forecastPeakSharesPerSecond(), 2, RoundingMode.DOWN),
                latency.positive("p50"),
                latency.positive("p99"),
                document.count("postgres_unique_committed_shares"));
    }

    private void equal(String member, BigDecimal wanted) {
        if (document.positive(member).compareTo(wanted) != 0) {
            throw new InvalidEvidenceException(member + " is not " + wanted.toPlainString());
        }
    }

    private void phases(BigDecimal duration) {
        EvidenceObject phases = document.object("phases", List.of("steady_state", "reconnect", "slow_database"));
        List<EvidenceObject> all = List.of(
                phases.object("steady_state", PHASE),
                phases.object("reconnect", with("reconnect_events")),
                phases.object("slow_database", with("database_delay_milliseconds")));
        all.get(1).atLeast("reconnect_events", 10);
        all.get(2).atLeast("database_delay_milliseconds", 10);
        BigDecimal total = BigDecimal.ZERO;
        for (EvidenceObject phase : all) {
            BigDecimal seconds = phase.positive("duration_seconds");
            if (seconds.compareTo(SHORTEST_PHASE) < 0) {
                throw new InvalidEvidenceException(phase.at("duration_seconds") + " is below 60");
            }
            total = total.add(seconds);
            rate(phase, seconds);
            latency(phase);
        }
        if (total.compareTo(duration) != 0) {
            throw new InvalidEvidenceException("the phases do not last test_duration_seconds together");
        }
        for (String count : COUNTS) {
            long sum = all.stream().mapToLong(phase -> phase.count(count)).reduce(0, Math::addExact);
            document.same(count, "the sum of its phases", sum);
        }
    }

    private static List<String> with(String more) {
        return Stream.concat(PHASE.stream(), Stream.of(more)).toList();
    }

    /** Offered, acknowledged and committed are one number, and twice the forecast. */
    private BigDecimal rate(EvidenceObject part, BigDecimal seconds) {
        long offered = part.count("offered_valid_shares");
        part.same("acknowledged_shares", "offered_valid_shares", offered);
        part.same("postgres_unique_committed_shares", "offered_valid_shares", offered);
        BigDecimal least =
                expected.forecastPeakSharesPerSecond().multiply(RESERVE).multiply(seconds);
        if (BigDecimal.valueOf(offered).compareTo(least) < 0) {
            throw new InvalidEvidenceException(part.at("offered_valid_shares") + " is below twice the forecast");
        }
        return BigDecimal.valueOf(offered).divide(seconds, 2, RoundingMode.DOWN);
    }

    private EvidenceObject latency(EvidenceObject part) {
        EvidenceObject latency = part.object("ack_latency_milliseconds", List.of("p50", "p99"));
        if (latency.positive("p50").compareTo(latency.positive("p99")) > 0) {
            throw new InvalidEvidenceException(latency.at("p50") + " is above p99");
        }
        if (latency.positive("p99").compareTo(expected.ackP99LimitMilliseconds()) > 0) {
            throw new InvalidEvidenceException(latency.at("p99") + " is above the limit");
        }
        return latency;
    }
}
