package org.prismpool.app.bench.payout;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * What was measured of one path.
 *
 * @param name the path
 * @param medianNanos median of the rounds
 * @param bestNanos the fastest round
 * @param targetNanos what it should take at most, if there is a target for this size
 */
record Figure(String name, long medianNanos, long bestNanos, OptionalLong targetNanos) {

    private static final double MILLIS = 1e6;

    /** Sums up rounds; the target is a time for one size of window and is left out for others. */
    static Figure of(String name, long[] nanos, OptionalLong targetMillis) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        OptionalLong target =
                targetMillis.isPresent() ? OptionalLong.of(targetMillis.getAsLong() * 1_000_000) : OptionalLong.empty();
        return new Figure(name, sorted[sorted.length / 2], sorted[0], target);
    }

    ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("name", name);
        json.put("median_milliseconds", medianNanos / MILLIS);
        json.put("best_milliseconds", bestNanos / MILLIS);
        if (targetNanos.isPresent()) {
            json.put("target_milliseconds", targetNanos.getAsLong() / MILLIS);
            json.put("median_to_target", (double) medianNanos / targetNanos.getAsLong());
        }
        return json;
    }

    String line() {
        String ratio = targetNanos.isEmpty()
                ? ""
                : String.format(Locale.ROOT, "  %.2f of the target", (double) medianNanos / targetNanos.getAsLong());
        return String.format(
                Locale.ROOT, "%-44s %9.1f ms (best %.1f)%s", name, medianNanos / MILLIS, bestNanos / MILLIS, ratio);
    }
}
