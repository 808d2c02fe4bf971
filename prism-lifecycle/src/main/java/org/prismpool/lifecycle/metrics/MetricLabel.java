package org.prismpool.lifecycle.metrics;

import java.util.List;

/**
 * One label of a family.
 *
 * @param name label name
 * @param values every value it can have, in the order of rendering; empty if the set is open
 */
public record MetricLabel(String name, List<String> values) {

    /** Copies the values. */
    public MetricLabel {
        values = List.copyOf(values);
    }

    /**
     * Tells whether values outside the declaration are allowed.
     *
     * @return true if no value is declared; whoever sets such a series bounds their number
     */
    public boolean open() {
        return values.isEmpty();
    }
}
