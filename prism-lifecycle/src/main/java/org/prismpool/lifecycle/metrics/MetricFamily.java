package org.prismpool.lifecycle.metrics;

import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;

/**
 * Declaration of one metric family.
 *
 * @param name name without the catalogue's prefix
 * @param type type in the exposition
 * @param help meaning and unit, one line
 * @param labels labels in the order of rendering
 * @param buckets upper bounds of a histogram, rising, without infinity; empty for other types
 * @param origin part of the document
 * @param presence when its series are rendered
 * @param extreme extreme that a summary renders
 */
public record MetricFamily(
        String name,
        MetricType type,
        String help,
        List<MetricLabel> labels,
        List<BigDecimal> buckets,
        FamilyOrigin origin,
        FamilyPresence presence,
        Extreme extreme) {

    /** Checks that the declaration makes sense. */
    public MetricFamily {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(help, "help");
        Objects.requireNonNull(origin, "origin");
        Objects.requireNonNull(presence, "presence");
        Objects.requireNonNull(extreme, "extreme");
        labels = List.copyOf(labels);
        buckets = List.copyOf(buckets);
        if (!name.matches("[a-z][a-z0-9_]*")) {
            throw new IllegalArgumentException("not a metric name: " + name);
        }
        if ((type == MetricType.HISTOGRAM) == buckets.isEmpty()) {
            throw new IllegalArgumentException(name + ": histograms, and only they, have buckets");
        }
        for (int i = 1; i < buckets.size(); i++) {
            if (buckets.get(i - 1).compareTo(buckets.get(i)) >= 0) {
                throw new IllegalArgumentException(name + ": bucket bounds must rise");
            }
        }
        if (extreme != Extreme.NONE && type != MetricType.SUMMARY) {
            throw new IllegalArgumentException(name + ": only a summary has an extreme");
        }
    }

    /**
     * Declares a family of another program.
     *
     * @param name name without the prefix
     * @param type counter, gauge or summary
     * @param help meaning and unit
     * @param labels its labels
     * @return the declaration, always present, rendered with the added families
     */
    public static MetricFamily of(String name, MetricType type, String help, MetricLabel... labels) {
        return new MetricFamily(
                name, type, help, List.of(labels), List.of(), FamilyOrigin.ADDED, FamilyPresence.ALWAYS, Extreme.NONE);
    }

    /**
     * Declares a histogram of another program.
     *
     * @param name name without the prefix
     * @param help meaning and unit
     * @param buckets upper bounds in plain decimals, rising
     * @param labels its labels
     * @return the declaration
     */
    public static MetricFamily histogram(String name, String help, List<String> buckets, MetricLabel... labels) {
        return new MetricFamily(
                name,
                MetricType.HISTOGRAM,
                help,
                List.of(labels),
                buckets.stream().map(BigDecimal::new).toList(),
                FamilyOrigin.ADDED,
                FamilyPresence.ALWAYS,
                Extreme.NONE);
    }

    MetricFamily withLabels(List<MetricLabel> changed) {
        return new MetricFamily(name, type, help, changed, buckets, origin, presence, extreme);
    }

    MetricFamily withHelp(String changed) {
        return new MetricFamily(name, type, changed, labels, buckets, origin, presence, extreme);
    }

    boolean closed() {
        return labels.stream().noneMatch(MetricLabel::open);
    }
}
