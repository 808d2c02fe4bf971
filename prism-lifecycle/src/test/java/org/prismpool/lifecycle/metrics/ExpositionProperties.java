package org.prismpool.lifecycle.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;

class ExpositionProperties {

    private static final MetricCatalogue CATALOGUE = MetricCatalogue.of(
            "p_",
            List.of(
                    MetricFamily.of("named", MetricType.GAUGE, "Named", new MetricLabel("name", List.of())),
                    MetricFamily.histogram("size", "Size", List.of("1", "5", "25"))));

    @Property
    void anyLabelValueStaysOnItsLineAndCanBeReadBack(@ForAll @StringLength(max = 40) String value) {
        MetricFamilies families = new MetricFamilies(CATALOGUE);
        families.gauge("named", value).set(1);

        List<String> lines =
                new Exposition(families).render(FamilyOrigin.ADDED).transform(text -> List.of(text.split("\n", -1)));

        String line = lines.get(2);
        assertThat(line).startsWith("p_named{name=\"").endsWith("\"} 1");
        String escaped = line.substring("p_named{name=\"".length(), line.length() - "\"} 1".length());
        assertThat(unescaped(escaped)).isEqualTo(value);
    }

    @Property
    void bucketsCountWhatDoesNotExceedThem(
            @ForAll @Size(max = 50) List<@DoubleRange(min = -10, max = 100) Double> values) {
        MetricFamilies families = new MetricFamilies(CATALOGUE);
        BucketHistogram histogram = families.histogram("size");
        values.forEach(histogram::observe);

        assertThat(histogram.cumulativeCounts())
                .containsExactly(
                        values.stream().filter(v -> v <= 1).count(),
                        values.stream().filter(v -> v <= 5).count(),
                        values.stream().filter(v -> v <= 25).count(),
                        values.size());
    }

    private static String unescaped(String text) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            assertThat(c).isNotEqualTo('"');
            if (c == '\\') {
                i++;
                plain.append(
                        switch (text.charAt(i)) {
                            case 'n' -> '\n';
                            case 'r' -> '\r';
                            default -> text.charAt(i);
                        });
            } else {
                plain.append(c);
            }
        }
        return plain.toString();
    }
}
