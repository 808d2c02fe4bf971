package org.prismpool.app.publicapi.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.prismpool.app.http.HttpAnswer;
import org.prismpool.app.http.HttpQuery;
import org.prismpool.app.publicapi.AskedModels;
import org.prismpool.app.testing.TestSettings;
import org.prismpool.config.ConfigReport;
import org.prismpool.config.Environment;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.lifecycle.testing.ManualClock;

/** The API over {@link AskedModels} on a clock that tests move. */
final class TestApi {

    static final Clock WALL = Clock.fixed(Instant.parse("2026-06-26T20:45:00.9Z"), ZoneOffset.UTC);
    private static final ObjectMapper JSON = new ObjectMapper();

    final AskedModels models = new AskedModels();
    final ManualClock clock = new ManualClock();
    final PublicApi api;

    TestApi(String... settings) {
        Environment e = environment(settings);
        api = new PublicApi(
                models.all(), MiningConfiguration.of(e, WALL), PublicApiSettings.of(e), Duration.ofSeconds(20), clock);
    }

    static Environment environment(String... settings) {
        Map<String, String> texts = new HashMap<>(TestSettings.memory(1));
        for (int i = 0; i < settings.length; i += 2) {
            texts.put(settings[i], settings[i + 1]);
        }
        ConfigReport report = PrismConfiguration.loader().load(texts);
        assertThat(report.ok()).as(report.render()).isTrue();
        return report.environment();
    }

    /** A request below {@code /public/v1}; the query is not decoded. */
    static HttpQuery query(String url) {
        String[] sides = url.split("\\?", 2);
        Map<String, String> parameters = new LinkedHashMap<>();
        if (sides.length > 1) {
            Arrays.stream(sides[1].split("&"))
                    .map(pair -> pair.split("=", 2))
                    .forEach(pair -> parameters.put(pair[0], pair[1]));
        }
        return HttpQuery.of(List.of(("public/v1" + sides[0]).split("/")), parameters);
    }

    /** As a listener asks: first the endpoint that answers at once. */
    HttpAnswer get(HttpQuery query) throws Exception {
        Optional<HttpAnswer> atOnce = api.remembered().answer(query);
        return atOnce.isPresent() ? atOnce.get() : api.computed().answer(query).orElseThrow();
    }

    HttpAnswer get(String url) throws Exception {
        return get(query(url));
    }

    static JsonNode json(HttpAnswer answer) throws Exception {
        return JSON.readTree(answer.body());
    }
}
