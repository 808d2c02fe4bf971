package org.prismpool.app.publicapi.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.prismpool.app.publicapi.PublicBody;
import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.lifecycle.time.MonotonicClock;

/** Bodies of models as a client reads them, each held against the contract's shape. */
final class Bodies {

    static final Instant NOW = Instant.parse("2026-06-26T20:45:00Z");
    static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
    static final ExplorerLinks EXPLORER = new ExplorerLinks(
            Optional.of("https://explorer.example/tx/"), Optional.of("https://explorer.example/block"));
    static final PublicSettings SETTINGS = new PublicSettings("PRISM", 100, 10_485_760, 1800, EXPLORER);

    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private Bodies() {}

    static Deadline soon() {
        return Deadline.after(Duration.ofSeconds(20), MonotonicClock.system(), "test");
    }

    /** The document, which must keep its closed shape and be written as every body is. */
    static JsonNode read(PublicBody body) {
        JsonNode document = parse(body);
        assertThat(PublicShapes.problems(document)).isEmpty();
        assertThat(new String(body.bytes(), StandardCharsets.UTF_8))
                .startsWith("{")
                .endsWith("}\n");
        return document;
    }

    static JsonNode parse(PublicBody body) {
        try {
            return JSON.readTree(body.bytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
