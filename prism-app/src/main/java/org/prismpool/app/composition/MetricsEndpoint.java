package org.prismpool.app.composition;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.prismpool.app.http.HttpAnswer;
import org.prismpool.app.http.HttpEndpoint;
import org.prismpool.app.http.HttpQuery;
import org.prismpool.lifecycle.metrics.MetricsDocument;
import org.prismpool.lifecycle.metrics.RenderedMetrics;

/** {@code /metrics}: the last document, never a backend call. Source: spec 08 §6.1. */
final class MetricsEndpoint implements HttpEndpoint {

    private static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final MetricsDocument metrics;

    MetricsEndpoint(MetricsDocument metrics) {
        this.metrics = metrics;
    }

    @Override
    public Optional<HttpAnswer> answer(HttpQuery query) {
        if (!query.segments().equals(List.of("metrics"))) {
            return Optional.empty();
        }
        RenderedMetrics latest = metrics.latest();
        return Optional.of(new HttpAnswer(
                latest.status(), TYPE, latest.body().getBytes(StandardCharsets.UTF_8), latest.headers()));
    }

    @Override
    public boolean immediate() {
        return true;
    }
}
