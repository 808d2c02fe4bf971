package org.prismpool.app.composition.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.prismpool.app.http.HttpAnswer;
import org.prismpool.app.http.HttpEndpoint;
import org.prismpool.app.http.HttpQuery;
import org.prismpool.app.publicapi.PublicErrors;
import org.prismpool.app.publicapi.cache.CacheLimits;
import org.prismpool.config.Environment;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.config.ProcessRole;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.sharewriter.LedgerUnavailableException;
import org.prismpool.sharewriter.read.ReplicaState;

class StaleAnswersTest {

    private static final HttpQuery BLOCKS = query("blocks");
    private static final String BUDGET = "X-Prism-Staleness-Budget-Seconds";
    private static final String STATE = "X-Prism-Database-State";

    private final ManualClock clock = new ManualClock();
    private boolean down;
    private boolean standby = true;
    private Optional<HttpAnswer> cached = Optional.empty();
    private HttpAnswer computed = HttpAnswer.json(200, "{\"n\":1}");
    private DatabaseWatch database;
    private HttpEndpoint remembered;
    private HttpEndpoint reading;

    private static HttpQuery query(String... path) {
        List<String> segments = new java.util.ArrayList<>(List.of("public", "v1"));
        segments.addAll(List.of(path));
        return HttpQuery.of(segments, Map.of());
    }

    private static Environment environment(String... settings) {
        Map<String, String> e = new HashMap<>();
        for (String setting : settings) {
            String[] sides = setting.split("=", 2);
            e.put(sides[0], sides[1]);
        }
        return PrismConfiguration.loader(ProcessRole.PUBLIC).load(e).environment();
    }

    @BeforeEach
    void serve() {
        serve(new CacheLimits(2, 100, 1000));
    }

    private void serve(CacheLimits limits) {
        database = new DatabaseWatch(
                deadline -> {
                    if (down) {
                        throw new LedgerUnavailableException("gone");
                    }
                    return new ReplicaState(standby, Optional.of(Duration.ZERO), Optional.empty(), OptionalLong.of(0));
                },
                new Freshness(true, Duration.ofSeconds(60)),
                Duration.ofSeconds(5),
                clock);
        database.ask();
        StaleAnswers stale = new StaleAnswers(database, new StalenessBudgets(environment()), limits, clock);
        remembered = stale.remembered(query -> cached);
        reading = stale.computed(query -> Optional.of(computed));
    }

    private HttpAnswer ask(HttpQuery query) throws Exception {
        Optional<HttpAnswer> known = remembered.answer(query);
        return known.isPresent() ? known.get() : reading.answer(query).orElseThrow();
    }

    private static String body(HttpAnswer answer) {
        return new String(answer.body(), StandardCharsets.UTF_8).strip();
    }

    private void outage() {
        down = true;
        clock.advance(Duration.ofSeconds(2));
        database.ask();
    }

    @Test
    void anAnswerOfALivingDatabaseTellsItsBudgetAndNothingElse() throws Exception {
        HttpAnswer answer = ask(BLOCKS);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers()).containsOnly(Map.entry(BUDGET, "15"));
    }

    @Test
    void anOutageRepeatsTheLastAnswerWithItsAgeAndSaysSo() throws Exception {
        ask(BLOCKS);
        outage();
        computed = HttpAnswer.json(200, "{\"n\":2}"); // must not be asked for

        HttpAnswer answer = ask(BLOCKS);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(body(answer)).isEqualTo("{\"n\":1}");
        assertThat(answer.headers())
                .containsEntry("Age", "2")
                .containsEntry(BUDGET, "15")
                .containsEntry(STATE, "unavailable")
                .containsEntry("Warning", "110 qbit-prism \"database unavailable; serving cached response\"");
    }

    @Test
    void pastTheBudgetAndWithoutAnEarlierAnswerItRefuses() throws Exception {
        ask(BLOCKS);
        outage();
        clock.advance(Duration.ofSeconds(13));
        assertThat(ask(BLOCKS).status()).isEqualTo(200);
        clock.advance(Duration.ofMillis(1));

        for (HttpAnswer refused : List.of(ask(BLOCKS), ask(query("leaderboard")))) {
            assertThat(refused.status()).isEqualTo(503);
            assertThat(body(refused)).contains("upstream_unavailable", "prism.dashboard.error.v1");
            assertThat(refused.headers())
                    .containsEntry("Cache-Control", "no-store")
                    .containsEntry(STATE, "unavailable")
                    .containsEntry(BUDGET, "15")
                    .doesNotContainKey("Warning");
        }
    }

    @Test
    void theAgeOfACachedAnswerCounts() throws Exception {
        computed = computed.withHeader("Age", "4");
        ask(BLOCKS);
        outage();
        clock.advance(Duration.ofSeconds(9));
        assertThat(ask(BLOCKS).headers()).containsEntry("Age", "15");
        clock.advance(Duration.ofMillis(1));

        assertThat(ask(BLOCKS).status()).isEqualTo(503);
    }

    @Test
    void aFreshAnswerOfTheCacheIsLabelledDuringAnOutageToo() throws Exception {
        outage();
        cached = Optional.of(HttpAnswer.json(200, "{\"n\":3}").withHeader("Age", "3"));

        HttpAnswer answer = ask(BLOCKS);

        assertThat(body(answer)).isEqualTo("{\"n\":3}");
        assertThat(answer.headers()).containsEntry("Age", "3").containsEntry(STATE, "unavailable");
    }

    @Test
    void theRequestThatFindsTheOutageIsServedFromMemoryAsWell() throws Exception {
        ask(BLOCKS);
        down = true;
        clock.advance(Duration.ofSeconds(2));
        computed = PublicErrors.of(500, "");

        assertThat(ask(BLOCKS).headers()).containsEntry(STATE, "unavailable");
        assertThat(ask(query("leaderboard")).status()).isEqualTo(503);
    }

    @Test
    void aFaultThatIsNotTheDatabasesStaysWhatItIs() throws Exception {
        ask(BLOCKS);
        computed = PublicErrors.of(503, "the node is not available");

        HttpAnswer answer = ask(BLOCKS);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(body(answer)).contains("the node is not available");
        assertThat(answer.headers()).doesNotContainKey(STATE);
    }

    @Test
    void aServerThatIsNoStandbyAnyMoreIsRefusedEvenWithAnAnswerInMemory() throws Exception {
        ask(BLOCKS);
        standby = false;
        database.ask();

        HttpAnswer answer = ask(BLOCKS);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(body(answer)).contains("not current");
    }

    @Test
    void theMiningConfigurationAndRefusalsNeedNoDatabase() throws Exception {
        outage();
        assertThat(ask(query("mining-configuration")).headers()).containsOnly(Map.entry(BUDGET, "900"));
        cached = Optional.of(PublicErrors.of(404, "unknown public dashboard endpoint"));

        assertThat(ask(query("nowhere")).status()).isEqualTo(404);
    }

    @Test
    void whatIsRememberedIsBoundedAndTheLeastRecentlyUsedGoesFirst() throws Exception {
        ask(query("a"));
        ask(query("b"));
        ask(query("c"));
        computed = HttpAnswer.json(200, "\"" + "x".repeat(100) + "\"");
        ask(query("big"));
        outage();

        assertThat(ask(query("a")).status()).isEqualTo(503);
        assertThat(ask(query("b")).status()).isEqualTo(200);
        assertThat(ask(query("c")).status()).isEqualTo(200);
        assertThat(ask(query("big")).status()).isEqualTo(503);
    }

    @Test
    void theTotalOfAllBodiesIsBoundedAsWell() throws Exception {
        serve(new CacheLimits(9, 100, 20));
        computed = HttpAnswer.json(200, "\"123456\""); // 9 bytes with the newline
        ask(query("a"));
        ask(query("b"));
        ask(query("b"));
        ask(query("c"));
        outage();

        assertThat(ask(query("a")).status()).isEqualTo(503);
        assertThat(ask(query("b")).status()).isEqualTo(200);
        assertThat(ask(query("c")).status()).isEqualTo(200);
    }

    @Test
    void withoutACacheNothingIsRemembered() throws Exception {
        serve(new CacheLimits(1, 0, 0));
        ask(BLOCKS);
        outage();

        assertThat(ask(BLOCKS).status()).isEqualTo(503);
    }

    @ParameterizedTest
    @CsvSource({
        "pool-summary, 90",
        "hashrate-series, 90",
        "leaderboard, 15",
        "blocks, 15",
        "blocks/00/settlement-artifacts, 15",
        "fanouts/pending, 15",
        "mining-configuration, 900",
        "artifacts/00, 259200",
        "miners/m, 105",
        "miners/m/earnings, 15",
        "miners/m/payouts, 15",
        "miners/m/workers, 90"
    })
    void budgetsFollowTheDocumentedCaches(String path, long seconds) {
        StalenessBudgets budgets = new StalenessBudgets(environment());

        assertThat(budgets.of(query(path.split("/")).segments()).orElseThrow().limit())
                .hasSeconds(seconds);
    }

    @Test
    void withoutACacheOnlyTheRewardWindowCounts() {
        StalenessBudgets budgets = new StalenessBudgets(environment("PRISM_PUBLIC_CACHE_ENABLED=0"));

        assertThat(budgets.of(query("pool-summary").segments()).orElseThrow().limit())
                .hasSeconds(15);
        assertThat(budgets.of(query("miners", "m").segments()).orElseThrow().limit())
                .hasSeconds(90);
        assertThat(budgets.of(List.of("healthz"))).isEmpty();
    }
}
