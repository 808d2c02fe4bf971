package org.prismpool.app.bench.jobs;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads sums from a metrics page.
 *
 * @param text the page
 */
record MetricsPage(String text) {

    private static final Pattern LINE =
            Pattern.compile("^qbit_prism_([a-z_]+)(?:\\{[a-z_]+=\"([^\"]*)\"\\})? ([-+0-9.eE]+)$", Pattern.MULTILINE);

    /** The series of a family with at most one label, by label value; the empty text stands for no label. */
    Map<String, Double> family(String name) {
        Map<String, Double> series = new TreeMap<>();
        Matcher line = LINE.matcher(text);
        while (line.find()) {
            if (line.group(1).equals(name)) {
                String label = line.group(2);
                series.put(label == null ? "" : label, Double.parseDouble(line.group(3)));
            }
        }
        return series;
    }

    /** What the series of a family of sums grew by since an earlier page. */
    Map<String, Double> since(MetricsPage earlier, String name) {
        Map<String, Double> then = earlier.family(name);
        Map<String, Double> growth = new TreeMap<>();
        family(name).forEach((label, now) -> growth.put(label, now - then.getOrDefault(label, 0.0)));
        return growth;
    }

    double single(String name) {
        return family(name).getOrDefault("", 0.0);
    }
}
