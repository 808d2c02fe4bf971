package org.prismpool.lifecycle.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a text exposition back, strictly: every line must be a HELP, a TYPE or a sample of the family above it. */
final class ParsedExposition {

    private static final Pattern SAMPLE = Pattern.compile("([a-z0-9_]+)(?:\\{(.*)\\})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"((?:[^\"\\\\]|\\\\.)*)\",?");

    private final Map<String, String> types = new LinkedHashMap<>();
    private final Map<String, List<Sample>> samples = new LinkedHashMap<>();

    ParsedExposition(String text) {
        String family = "";
        for (String line : text.lines().toList()) {
            if (line.startsWith("# HELP ")) {
                family = word(line, 2);
                if (samples.putIfAbsent(family, new ArrayList<>()) != null) {
                    throw new AssertionError("family twice: " + family);
                }
            } else if (line.startsWith("# TYPE ")) {
                if (!word(line, 2).equals(family)) {
                    throw new AssertionError("TYPE without HELP: " + line);
                }
                types.put(family, word(line, 3));
            } else {
                samples.computeIfAbsent(family, none -> {
                            throw new AssertionError("sample before its family: " + line);
                        })
                        .add(sample(line, family));
            }
        }
    }

    Map<String, String> types() {
        return types;
    }

    List<Sample> samples(String family) {
        return samples.getOrDefault(family, List.of());
    }

    Optional<String> value(String series) {
        return samples.values().stream()
                .flatMap(List::stream)
                .filter(sample -> sample.series().equals(series))
                .map(Sample::value)
                .findFirst();
    }

    private static String word(String line, int index) {
        return line.split(" ", -1)[index];
    }

    private static Sample sample(String line, String family) {
        Matcher matcher = SAMPLE.matcher(line);
        if (!matcher.matches() || !matcher.group(1).startsWith(family)) {
            throw new AssertionError("not a sample of " + family + ": " + line);
        }
        Map<String, String> labels = new LinkedHashMap<>();
        if (matcher.group(2) != null) {
            Matcher label = LABEL.matcher(matcher.group(2));
            int end = 0;
            while (label.find() && label.start() == end) {
                labels.put(label.group(1), label.group(2));
                end = label.end();
            }
            if (end != matcher.group(2).length()) {
                throw new AssertionError("broken labels: " + line);
            }
        }
        String series = line.substring(0, line.lastIndexOf(' '));
        return new Sample(matcher.group(1), series, labels, matcher.group(3));
    }

    /** One line with a value. */
    record Sample(String name, String series, Map<String, String> labels, String value) {}
}
