package org.prismpool.app.composition.reader;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.prismpool.app.http.HttpAnswer;
import org.prismpool.app.http.HttpEndpoint;
import org.prismpool.app.http.HttpQuery;
import org.prismpool.sharewriter.read.ReplicaState;

/**
 * {@code /healthz}, {@code /readyz} and {@code /livez} of the public process, from memory: ready while the database may be asked,
 * alive while it answers here. Stateless.
 */
public final class ReaderHealth implements HttpEndpoint {

    private static final int OK = 200;
    private static final int NOT_READY = 503;

    private final DatabaseWatch database;

    /**
     * Creates the endpoint.
     *
     * @param database whose state is shown
     */
    public ReaderHealth(DatabaseWatch database) {
        this.database = database;
    }

    @Override
    public Optional<HttpAnswer> answer(HttpQuery query) {
        if (query.segments().size() != 1) {
            return Optional.empty();
        }
        return switch (query.segments().get(0)) {
            case "healthz", "readyz" -> Optional.of(health());
            case "livez" -> Optional.of(HttpAnswer.json(OK, "{\"ok\": true}"));
            default -> Optional.empty();
        };
    }

    @Override
    public boolean immediate() {
        return true;
    }

    private HttpAnswer health() {
        DatabaseVerdict verdict = database.verdict();
        Map<String, @Nullable Object> document = new TreeMap<>();
        document.put("ok", verdict.available());
        document.put("role", "public");
        document.put("database_state", verdict.state().name().toLowerCase(java.util.Locale.ROOT));
        document.put("database_reason", verdict.available() ? null : verdict.reason());
        document.put("replica", database.said().map(ReaderHealth::shown).orElse(null));
        return HttpAnswer.document(verdict.available() ? OK : NOT_READY, document);
    }

    private static Map<String, @Nullable Object> shown(ReplicaState said) {
        Map<String, @Nullable Object> members = new TreeMap<>();
        members.put("in_recovery", said.inRecovery());
        members.put("receiver_message_age_ms", milliseconds(said.receiverMessageAge()));
        members.put("replay_lag_ms", milliseconds(said.replayLag()));
        members.put("backlog_bytes", number(said.backlogBytes()));
        return members;
    }

    private static @Nullable Long milliseconds(Optional<Duration> age) {
        return age.map(Duration::toMillis).orElse(null);
    }

    private static @Nullable Long number(OptionalLong value) {
        return value.isPresent() ? value.getAsLong() : null;
    }
}
