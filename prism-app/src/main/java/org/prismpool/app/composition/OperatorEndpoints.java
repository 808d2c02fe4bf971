package org.prismpool.app.composition;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.prismpool.app.http.HttpAnswer;
import org.prismpool.app.http.HttpEndpoint;
import org.prismpool.app.http.HttpQuery;
import org.prismpool.lifecycle.health.HealthAnswer;
import org.prismpool.lifecycle.health.HealthSnapshot;
import org.prismpool.lifecycle.metrics.MetricsDocument;
import org.prismpool.lifecycle.metrics.RenderedMetrics;
import org.prismpool.lifecycle.watchdog.FatalShutdown;

/** {@code /healthz}, {@code /readyz}, {@code /livez} and {@code /metrics}: cached documents, never a backend call. */
final class OperatorEndpoints implements HttpEndpoint {

    private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final HealthSnapshot health;
    private final MetricsDocument metrics;
    private final FatalShutdown fatal;

    OperatorEndpoints(HealthSnapshot health, MetricsDocument metrics, FatalShutdown fatal) {
        this.health = health;
        this.metrics = metrics;
        this.fatal = fatal;
    }

    @Override
    public Optional<HttpAnswer> answer(HttpQuery query) {
        if (query.segments().size() != 1) {
            return Optional.empty();
        }
        return switch (query.segments().get(0)) {
            case "healthz", "readyz" -> Optional.of(health());
            case "livez" ->
                Optional.of(HttpAnswer.json(fatal.claimed() ? 503 : 200, "{\"ok\": " + !fatal.claimed() + "}"));
            case "metrics" -> Optional.of(metrics());
            default -> Optional.empty();
        };
    }

    @Override
    public boolean immediate() {
        return true;
    }

    private HttpAnswer health() {
        HealthAnswer answer = health.answer();
        return HttpAnswer.json(answer.status(), answer.body().stripTrailing());
    }

    private HttpAnswer metrics() {
        RenderedMetrics latest = metrics.latest();
        return new HttpAnswer(
                latest.status(), METRICS_TYPE, latest.body().getBytes(StandardCharsets.UTF_8), latest.headers());
    }
}
