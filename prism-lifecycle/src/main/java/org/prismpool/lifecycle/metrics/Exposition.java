package org.prismpool.lifecycle.metrics;

import com.codahale.metrics.Metric;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/** Writes families in the Prometheus text format 0.0.4 (spec 08 section 6.1). */
public final class Exposition {

    /** Content type of the text. */
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4";

    private static final double EXACT_WHOLE = 1L << 53;
    private static final MathContext TWELVE_DIGITS = new MathContext(12);
    private static final int SUM_SCALE = 6;

    private final MetricFamilies families;

    /**
     * Creates a writer.
     *
     * @param families what it writes
     */
    public Exposition(MetricFamilies families) {
        this.families = families;
    }

    /**
     * Writes all families of some parts of the document, in the order of parts and declarations.
     *
     * @param first first part
     * @param others further parts
     * @return text of whole lines; empty if there is nothing to write
     */
    public String render(FamilyOrigin first, FamilyOrigin... others) {
        StringBuilder text = new StringBuilder();
        for (FamilyOrigin origin : EnumSet.of(first, others)) {
            for (MetricFamily family : families.catalogue().families()) {
                if (family.origin() == origin) {
                    write(family, text);
                }
            }
        }
        return text.toString();
    }

    /** Label values as they stand in a series; also part of the registry's keys. */
    static String labels(MetricFamily family, List<String> values) {
        if (values.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder("{");
        appendLabels(text, family, values);
        return text.append('}').toString();
    }

    static String number(double value) {
        if (Double.isNaN(value)) {
            return "NaN";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "+Inf" : "-Inf";
        }
        if (value == Math.rint(value) && Math.abs(value) <= EXACT_WHOLE) {
            return Long.toString((long) value);
        }
        return new BigDecimal(value).round(TWELVE_DIGITS).stripTrailingZeros().toPlainString();
    }

    private void write(MetricFamily family, StringBuilder text) {
        List<Map.Entry<List<String>, Metric>> shown = shown(family);
        if (shown.isEmpty() && family.presence() == FamilyPresence.FIRST_VALUE) {
            return;
        }
        String name = families.catalogue().prefix() + family.name();
        text.append("# HELP ")
                .append(name)
                .append(' ')
                .append(help(family.help()))
                .append('\n');
        text.append("# TYPE ")
                .append(name)
                .append(' ')
                .append(family.type().text())
                .append('\n');
        for (Map.Entry<List<String>, Metric> entry : shown) {
            writeSeries(family, name, entry.getKey(), entry.getValue(), text);
        }
    }

    private List<Map.Entry<List<String>, Metric>> shown(MetricFamily family) {
        List<Map.Entry<List<String>, Metric>> shown = new ArrayList<>();
        Map<List<String>, Metric> series = families.seriesOf(family);
        if (family.closed()) {
            for (List<String> values : MetricFamilies.combinations(family.labels())) {
                Metric metric = series.get(values);
                if (metric != null) {
                    shown.add(Map.entry(values, metric));
                }
            }
        } else {
            shown.addAll(series.entrySet());
            shown.sort(Map.Entry.comparingByKey(byValues()));
        }
        shown.removeIf(entry -> hidden(family.presence(), entry.getValue()));
        return shown;
    }

    private static boolean hidden(FamilyPresence presence, Metric metric) {
        return switch (presence) {
            case ALWAYS -> false;
            case FIRST_VALUE -> metric instanceof RegisteredGauge gauge && !gauge.written();
            case NON_ZERO ->
                (metric instanceof RegisteredGauge gauge && gauge.value() == 0)
                        || (metric instanceof RegisteredCounter counter && counter.value() == 0);
        };
    }

    private static void writeSeries(
            MetricFamily family, String name, List<String> values, Metric metric, StringBuilder text) {
        String labels = labels(family, values);
        if (metric instanceof RegisteredCounter counter) {
            line(text, name, labels, number(counter.value()));
        } else if (metric instanceof RegisteredGauge gauge) {
            line(text, name, labels, number(gauge.value()));
        } else if (metric instanceof BucketHistogram histogram) {
            writeHistogram(family, name, values, histogram, text);
        } else if (metric instanceof SummarySeries summary) {
            SummarySeries.Reading reading = summary.reading();
            line(text, name + "_sum", labels, sum(reading.sum()));
            line(text, name + "_count", labels, Long.toString(reading.count()));
            if (family.extreme() != Extreme.NONE) {
                double extreme = family.extreme() == Extreme.MAX ? reading.largest() : reading.smallest();
                line(text, name + family.extreme().suffix(), labels, sum(extreme));
            }
        }
    }

    private static void writeHistogram(
            MetricFamily family, String name, List<String> values, BucketHistogram histogram, StringBuilder text) {
        long[] counts = histogram.cumulativeCounts();
        for (int i = 0; i < counts.length; i++) {
            String bound = i < family.buckets().size()
                    ? family.buckets().get(i).stripTrailingZeros().toPlainString()
                    : "+Inf";
            text.append(name).append("_bucket{");
            if (!values.isEmpty()) {
                appendLabels(text, family, values);
                text.append(',');
            }
            text.append("le=\"").append(bound).append("\"} ").append(counts[i]).append('\n');
        }
        String labels = labels(family, values);
        line(text, name + "_sum", labels, sum(histogram.sum()));
        line(text, name + "_count", labels, Long.toString(counts[counts.length - 1]));
    }

    private static void line(StringBuilder text, String name, String labels, String value) {
        text.append(name).append(labels).append(' ').append(value).append('\n');
    }

    private static void appendLabels(StringBuilder text, MetricFamily family, List<String> values) {
        for (int i = 0; i < values.size(); i++) {
            if (i > 0) {
                text.append(',');
            }
            text.append(family.labels().get(i).name())
                    .append("=\"")
                    .append(escaped(values.get(i)))
                    .append('"');
        }
    }

    private static String sum(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return number(value);
        }
        return new BigDecimal(value).setScale(SUM_SCALE, RoundingMode.HALF_EVEN).toPlainString();
    }

    private static String help(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n");
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\")
                .replace("\n", "\\n")
                .replace("\r", "\\r")
                .replace("\"", "\\\"");
    }

    private static Comparator<List<String>> byValues() {
        return (a, b) -> {
            for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
                int order = a.get(i).compareTo(b.get(i));
                if (order != 0) {
                    return order;
                }
            }
            return Integer.compare(a.size(), b.size());
        };
    }
}
