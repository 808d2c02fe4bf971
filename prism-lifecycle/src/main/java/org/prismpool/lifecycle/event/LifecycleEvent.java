package org.prismpool.lifecycle.event;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One step of starting or stopping that operators and their tools look for. Immutable.
 *
 * @param name what happened, for example {@code lease_release}
 * @param fields details by name: strings, numbers, booleans, maps and lists of these, or null where the contract says so
 */
public record LifecycleEvent(String name, SortedMap<String, @Nullable Object> fields) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Copies the fields. */
    public LifecycleEvent {
        Objects.requireNonNull(name, "name");
        fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
    }

    /**
     * Creates an event.
     *
     * @param name what happened
     * @param fields details by name
     * @return the event
     */
    public static LifecycleEvent of(String name, Map<String, ? extends @Nullable Object> fields) {
        return new LifecycleEvent(name, new TreeMap<>(fields));
    }

    /**
     * Renders the event as one line.
     *
     * @return a JSON object with sorted keys, {@code event} among them
     */
    public String toJson() {
        SortedMap<String, @Nullable Object> all = new TreeMap<>(fields);
        all.put("event", name);
        try {
            return JSON.writeValueAsString(all);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("event " + name + " holds a value that JSON cannot carry", e);
        }
    }

    /** Returns the event as {@link #toJson()} does. */
    @Override
    public String toString() {
        return toJson();
    }
}
