package org.prismpool.app.composition;

import java.util.Optional;
import org.prismpool.app.http.HttpAnswer;
import org.prismpool.app.http.HttpEndpoint;
import org.prismpool.app.http.HttpQuery;
import org.prismpool.lifecycle.health.HealthAnswer;
import org.prismpool.lifecycle.health.HealthSnapshot;
import org.prismpool.lifecycle.watchdog.FatalShutdown;

/** {@code /healthz}, {@code /readyz} and {@code /livez}: the cached health, never a backend call. */
final class HealthEndpoint implements HttpEndpoint {

    private final HealthSnapshot health;
    private final FatalShutdown fatal;

    HealthEndpoint(HealthSnapshot health, FatalShutdown fatal) {
        this.health = health;
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
}
