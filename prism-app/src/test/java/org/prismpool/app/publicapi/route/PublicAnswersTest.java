package org.prismpool.app.publicapi.route;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.prismpool.app.http.BadRequestException;
import org.prismpool.app.http.HttpAnswer;
import org.prismpool.app.publicapi.NotFoundException;
import org.prismpool.app.publicapi.PublicBody;
import org.prismpool.app.publicapi.UpstreamUnavailableException;
import org.slf4j.LoggerFactory;

/** Headers, cache and failures of public answers (spec 08 §7.4, §7.6, A19, T46, T48). */
class PublicAnswersTest {

    private static final String HASH = "ab".repeat(32);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/pool-summary | public, max-age=30, stale-while-revalidate=30",
                "/hashrate-series | public, max-age=30, stale-while-revalidate=30",
                "/miners/m1/workers | public, max-age=30, stale-while-revalidate=30",
                "/leaderboard | public, max-age=5, stale-while-revalidate=30",
                "/miners/m1 | public, max-age=5, stale-while-revalidate=30",
                "/miners/workers | public, max-age=5, stale-while-revalidate=30",
                "/fanouts/pending | public, max-age=5, stale-while-revalidate=30",
                "/mining-configuration | public, max-age=300, stale-while-revalidate=3600",
                "/artifacts/abababababababababababababababababababababababababababababababab "
                        + "| public, max-age=86400, stale-while-revalidate=86400, immutable",
            })
    void aSuccessTellsSharedCachesHowLongItLasts(String url, String shared) throws Exception {
        HttpAnswer answer = new TestApi().get(url);

        assertThat(answer.headers())
                .containsOnly(
                        Map.entry("Cache-Control", "public, max-age=0, must-revalidate"),
                        Map.entry("Age", "0"),
                        Map.entry("CDN-Cache-Control", shared),
                        Map.entry("Vercel-CDN-Cache-Control", shared));
        assertThat(answer.contentType()).isEqualTo("application/json");
    }

    @Test
    void ageGrowsUntilTheAnswerIsReadAgain() throws Exception {
        TestApi api = new TestApi("PRISM_PUBLIC_CACHE_DEBUG_HEADERS", "1");

        assertThat(api.get("/blocks").headers()).containsEntry("X-Prism-Public-Cache", "miss");
        api.clock.advance(Duration.ofMillis(4999));
        assertThat(api.get("/blocks").headers())
                .containsEntry("X-Prism-Public-Cache", "hit")
                .containsEntry("Age", "4");
        api.clock.advance(Duration.ofMillis(1));
        assertThat(api.get("/blocks").headers())
                .containsEntry("X-Prism-Public-Cache", "miss")
                .containsEntry("Age", "0");
        assertThat(api.models.asked()).hasSize(2);
    }

    @Test
    void theCaseOfAHashMakesNoSecondEntry() throws Exception {
        TestApi api = new TestApi();
        for (String hash : List.of("AB".repeat(32), HASH)) {
            api.get("/artifacts/" + hash);
            api.get("/fanouts/" + hash);
            api.get("/blocks/" + hash + "/settlement-artifacts");
        }

        assertThat(api.models.asked()).hasSize(3);
    }

    @Test
    void recipientsAndParametersKeepTheirCaseAndMakeTheirOwnEntries() throws Exception {
        TestApi api = new TestApi();
        api.get("/miners/" + "ab".repeat(32));
        api.get("/miners/" + "AB".repeat(32));
        api.get("/blocks");
        api.get("/blocks?unknown=1");
        api.get("/blocks?unknown=2");
        api.get("/fanouts/pending");

        assertThat(api.models.asked()).hasSize(6);
    }

    @Test
    void aDisabledCacheReadsEveryTimeAndSaysNothingToSharedCaches() throws Exception {
        TestApi api = new TestApi("PRISM_PUBLIC_CACHE_ENABLED", "0", "PRISM_PUBLIC_CACHE_DEBUG_HEADERS", "1");

        api.get("/blocks");

        assertThat(api.get("/blocks").headers())
                .containsOnly(
                        Map.entry("Cache-Control", "public, max-age=0, must-revalidate"),
                        Map.entry("Age", "0"),
                        Map.entry("X-Prism-Public-Cache", "bypass"));
        assertThat(api.models.asked()).hasSize(2);
    }

    @Test
    void anAnswerAboveTheBoundIsGivenAndNotKept() throws Exception {
        TestApi api =
                new TestApi("PRISM_PUBLIC_CACHE_MAX_RESPONSE_BYTES", "10", "PRISM_PUBLIC_CACHE_DEBUG_HEADERS", "1");
        api.models.answerWith(() -> new PublicBody("12345678901".getBytes(StandardCharsets.UTF_8)));

        assertThat(api.get("/blocks").headers())
                .containsEntry("X-Prism-Public-Cache", "bypass")
                .containsKey("CDN-Cache-Control");
        api.get("/blocks");

        assertThat(api.models.asked()).hasSize(2);
    }

    @Test
    void whatAModelDoesNotFindIsNotFoundAndNotKept() throws Exception {
        TestApi api = new TestApi();
        api.models.answerWith(() -> {
            throw new NotFoundException("unknown PRISM CTV fanout");
        });

        HttpAnswer answer = api.get("/fanouts/" + HASH);
        api.get("/fanouts/" + HASH);

        assertThat(answer.status()).isEqualTo(404);
        assertThat(TestApi.json(answer).at("/error/message").asText()).isEqualTo("unknown PRISM CTV fanout");
        assertThat(api.models.asked()).hasSize(2);
    }

    @Test
    void aNodeThatDoesNotAnswerIsUpstream() throws Exception {
        TestApi api = new TestApi();
        api.models.answerWith(() -> {
            throw new UpstreamUnavailableException("getblockchaininfo at 10.0.0.7 failed");
        });

        HttpAnswer answer = api.get("/pool-summary");

        assertThat(answer.status()).isEqualTo(503);
        assertThat(TestApi.json(answer).at("/error/code").asText()).isEqualTo("upstream_unavailable");
        assertThat(text(answer)).doesNotContain("10.0.0.7");
        assertThat(answer.headers()).containsEntry("Cache-Control", "no-store");
    }

    static Stream<RuntimeException> faults() {
        return Stream.of(
                new IllegalStateException("postgres://prism:hunter2@db/prism"),
                new IllegalArgumentException("password=hunter2"),
                new BadRequestException("a model has no business with the sender: hunter2"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aFaultOfAModelHasOneTextAndALogLine(RuntimeException fault) throws Exception {
        TestApi api = new TestApi();
        api.models.answerWith(() -> {
            throw fault;
        });
        AtomicReference<HttpAnswer> asked = new AtomicReference<>();

        List<ILoggingEvent> log = logged(() -> asked.set(api.get("/miners/m1")));

        HttpAnswer answer = asked.get();
        assertThat(answer.status()).isEqualTo(500);
        assertThat(text(answer))
                .isEqualTo("{\"error\":{\"code\":\"internal_error\",\"message\":\"internal server error\","
                        + "\"request_id\":null},\"schema\":\"prism.dashboard.error.v1\"}\n");
        assertThat(log).singleElement().satisfies(line -> {
            assertThat(line.getFormattedMessage()).isEqualTo("public read failed");
            assertThat(line.getKeyValuePairs().toString()).contains("miner").doesNotContain("m1");
        });
    }

    @Test
    void aFaultThatComesAgainIsLoggedOnceInTenSeconds() throws Exception {
        TestApi api = new TestApi();
        api.models.answerWith(() -> {
            throw new IllegalStateException("down");
        });

        List<ILoggingEvent> log = logged(() -> {
            for (int i = 0; i < 50; i++) {
                api.get("/miners/m" + i);
            }
            api.get("/blocks");
            api.clock.advance(Duration.ofSeconds(10));
            api.get("/miners/m1");
        });

        assertThat(log)
                .extracting(line -> line.getKeyValuePairs().toString())
                .containsExactly(
                        "[route=\"miner\", not_logged_before=\"0\"]",
                        "[route=\"blocks\", not_logged_before=\"0\"]",
                        "[route=\"miner\", not_logged_before=\"49\"]");
    }

    private interface Requests {
        void send() throws Exception;
    }

    private static List<ILoggingEvent> logged(Requests requests) throws Exception {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(FailureLog.class);
        log.start();
        logger.addAppender(log);
        try {
            requests.send();
        } finally {
            logger.detachAppender(log);
        }
        return List.copyOf(log.list);
    }

    @Test
    void theFirstPaintOfAPageSharesTheCacheAndDoesWithoutASummary() throws Exception {
        TestApi api = new TestApi();
        assertThat(api.api.summary()).isPresent();
        api.get("/pool-summary");
        assertThat(api.models.asked()).hasSize(1);

        api.clock.advance(Duration.ofSeconds(30));
        api.models.answerWith(() -> {
            throw new UpstreamUnavailableException("no node");
        });
        assertThat(api.api.summary()).isEmpty();
    }

    private static String text(HttpAnswer answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }
}
