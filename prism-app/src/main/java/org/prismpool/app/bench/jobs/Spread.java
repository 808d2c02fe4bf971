package org.prismpool.app.bench.jobs;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Samples of one duration, by nearest rank.
 *
 * @param nanos ordered samples
 */
record Spread(List<Long> nanos) {

    private static final double NANOS = 1e9;
    private static final double DIGITS = 1e6;

    Spread {
        nanos = nanos.stream().sorted().toList();
    }

    /** The sample at a fraction from 0 to 1, 0 without samples. */
    long at(double fraction) {
        if (nanos.isEmpty()) {
            return 0;
        }
        return nanos.get((int) Math.round(fraction * (nanos.size() - 1)));
    }

    long largest() {
        return at(1);
    }

    ObjectNode json() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("n", nanos.size());
        node.put("p50", seconds(at(0.50)));
        node.put("p90", seconds(at(0.90)));
        node.put("p95", seconds(at(0.95)));
        node.put("p99", seconds(at(0.99)));
        node.put("max", seconds(largest()));
        return node;
    }

    static double seconds(long nanos) {
        return Math.round(nanos / NANOS * DIGITS) / DIGITS;
    }
}
