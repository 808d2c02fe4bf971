package org.prismpool.app.publicapi.model;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.prismpool.app.publicapi.PublicBody;
import org.prismpool.app.publicapi.model.formula.Decimals;
import org.prismpool.app.publicapi.model.formula.PublicTime;

/** Members of one JSON object of the public API; what is unavailable is null, never left out. Used by one thread. */
final class Members {

    private final Map<String, @Nullable Object> members = new TreeMap<>();

    /** Begins a document. */
    static Members ofDocument(String schema, Instant generatedAt) {
        return new Members().with("schema", "prism.dashboard." + schema).time("generated_at", generatedAt);
    }

    /** A text, whole number, truth value, object or list. */
    Members with(String name, Object value) {
        members.put(name, value);
        return this;
    }

    /** The same, or null. */
    Members orNull(String name, Optional<?> value) {
        members.put(name, value.orElse(null));
        return this;
    }

    /** Always null: the contract has the member, the pool has nothing to say. */
    Members none(String name) {
        members.put(name, null);
        return this;
    }

    Members object(String name, Members value) {
        return with(name, value.map());
    }

    Members decimal(String name, BigDecimal value) {
        return with(name, Decimals.text(value));
    }

    Members decimal(String name, BigInteger value) {
        return with(name, Decimals.text(value));
    }

    Members decimalOrNull(String name, Optional<BigDecimal> value) {
        return orNull(name, value.map(Decimals::text));
    }

    Members time(String name, Instant value) {
        return with(name, PublicTime.text(value));
    }

    Members timeOrNull(String name, Optional<Instant> value) {
        return orNull(name, value.map(PublicTime::text));
    }

    Map<String, @Nullable Object> map() {
        return members;
    }

    PublicBody body() {
        return PublicBody.document(members);
    }
}
