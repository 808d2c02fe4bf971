package org.prismpool.app.metrics;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** The series of a family by the constant that an owner names them with, looked up once. Immutable, thread-safe. */
final class ByLabel<E extends Enum<E>, S> {

    private final Map<E, S> series;

    private ByLabel(Map<E, S> series) {
        this.series = series;
    }

    /** Looks the series of every constant up. */
    static <E extends Enum<E>, S> ByLabel<E, S> of(Class<E> type, Function<E, S> lookup) {
        Map<E, S> series = new EnumMap<>(type);
        for (E constant : type.getEnumConstants()) {
            series.put(constant, lookup.apply(constant));
        }
        return new ByLabel<>(series);
    }

    /** The label value of a constant whose name is the label in capitals. */
    static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    S get(E constant) {
        return Objects.requireNonNull(series.get(constant), "every constant has a series");
    }
}
