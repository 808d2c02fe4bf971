package org.prismpool.lifecycle.shutdown;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.prismpool.lifecycle.event.LifecycleEvent;
import org.prismpool.lifecycle.event.LifecycleEvents;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Names and fields of the shutdown events (spec 08 section 3.4); a failing port never stops the shutdown. */
final class ShutdownEvents {

    private static final Logger LOG = LoggerFactory.getLogger(ShutdownEvents.class);
    private static final int SECONDS_SCALE = 6;

    private final LifecycleEvents port;

    ShutdownEvents(LifecycleEvents port) {
        this.port = port;
    }

    static ShutdownEvents silent() {
        return new ShutdownEvents(LifecycleEvents.none());
    }

    void start(String reason, OptionalInt signal, Duration quiescenceTimeout) {
        TreeMap<String, @Nullable Object> fields = new TreeMap<>();
        fields.put("reason", reason);
        fields.put("signal", signal.isPresent() ? signal.getAsInt() : null);
        fields.put("writer_quiescence_timeout_seconds", plainSeconds(quiescenceTimeout));
        tell("shutdown_start", fields);
    }

    void quiescence(QuiescenceResult result) {
        tell(
                "writer_quiescence",
                Map.of(
                        "duration_seconds",
                        seconds(result.elapsed()),
                        "outcome",
                        result.quiesced() ? "success" : "timeout",
                        "blockers",
                        byName(result.blockers())));
    }

    void withheld(QuiescenceResult result) {
        result.blockers()
                .forEach((component, count) -> tell(
                        "lease_release_withheld",
                        Map.of(
                                "component",
                                component.name(),
                                "active_operations",
                                count,
                                "reason",
                                "writer_quiescence_timeout")));
    }

    void withheldAtClaim(SortedMap<WriterComponent, Integer> blockers) {
        tell("lease_release_withheld", Map.of("reason", "active_writer_operations", "blockers", byName(blockers)));
    }

    void releaseAttempt(boolean supported, boolean fresh) {
        tell("lease_release_attempt", Map.of("supported", supported, "fresh_connection", fresh));
    }

    void released(ShutdownSequence.Release release, OptionalInt signal, Optional<Duration> signalToRelease) {
        TreeMap<String, @Nullable Object> fields = new TreeMap<>(release.errorField());
        fields.put("duration_seconds", seconds(release.took()));
        fields.put("outcome", release.label());
        fields.put("released", release.outcome().released());
        if (signal.isPresent()) {
            fields.put(
                    "sigterm_to_release_seconds",
                    signalToRelease.map(ShutdownEvents::seconds).orElse(null));
        }
        tell("lease_release", fields);
    }

    void drained(Duration elapsed, boolean released) {
        tell(
                "non_writer_drain",
                Map.of(
                        "duration_seconds",
                        seconds(elapsed),
                        "lease_release_succeeded",
                        released,
                        "outcome",
                        "complete"));
    }

    private void tell(String name, Map<String, ? extends @Nullable Object> fields) {
        try {
            port.tell(LifecycleEvent.of(name, fields));
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).addKeyValue("event", name).log("an event could not be told");
        }
    }

    private static SortedMap<String, Integer> byName(SortedMap<WriterComponent, Integer> counts) {
        TreeMap<String, Integer> named = new TreeMap<>();
        counts.forEach((component, count) -> named.put(component.name(), count));
        return named;
    }

    private static BigDecimal seconds(Duration duration) {
        return exact(duration).setScale(SECONDS_SCALE, RoundingMode.HALF_EVEN);
    }

    private static BigDecimal plainSeconds(Duration duration) {
        BigDecimal stripped = exact(duration).stripTrailingZeros();
        return stripped.scale() < 1 ? stripped.setScale(1) : stripped;
    }

    private static BigDecimal exact(Duration duration) {
        return BigDecimal.valueOf(duration.getSeconds()).add(BigDecimal.valueOf(duration.getNano(), 9));
    }
}
