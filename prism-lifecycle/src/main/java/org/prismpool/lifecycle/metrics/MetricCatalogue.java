package org.prismpool.lifecycle.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The one place where metric families are declared. Immutable. */
public final class MetricCatalogue {

    private static final String RESOURCE = "families.json";

    private final String prefix;
    private final Map<String, MetricFamily> families;

    private MetricCatalogue(String prefix, Map<String, MetricFamily> families) {
        this.prefix = prefix;
        this.families = families;
    }

    /**
     * Returns the families of the pool: the contract's and those added to it (spec 08 sections 6.3 and 6.5).
     *
     * @return the catalogue, with the prefix {@code qbit_prism_}
     */
    public static MetricCatalogue ofThePool() {
        try (InputStream in = Objects.requireNonNull(
                MetricCatalogue.class.getResourceAsStream(RESOURCE), "the declaration is not on the class path")) {
            JsonNode root = new ObjectMapper().readTree(in);
            List<MetricFamily> families = new ArrayList<>();
            root.get("families").forEach(node -> families.add(family(node)));
            return of(root.get("prefix").asText(), families);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Makes a catalogue.
     *
     * @param prefix start of every rendered name
     * @param families declarations in the order of rendering
     * @return the catalogue
     * @throws IllegalArgumentException if a name occurs twice
     */
    public static MetricCatalogue of(String prefix, List<MetricFamily> families) {
        Map<String, MetricFamily> byName = new LinkedHashMap<>();
        for (MetricFamily family : families) {
            if (byName.put(family.name(), family) != null) {
                throw new IllegalArgumentException("family declared twice: " + family.name());
            }
        }
        return new MetricCatalogue(prefix, byName);
    }

    /**
     * Returns the same catalogue with an open label closed, for values known only when a program is composed.
     *
     * @param family name without the prefix
     * @param label name of the label
     * @param values every value it can have
     * @return the changed copy
     */
    public MetricCatalogue withValues(String family, String label, List<String> values) {
        MetricFamily declared = require(family);
        List<MetricLabel> labels = declared.labels().stream()
                .map(old -> old.name().equals(label) ? new MetricLabel(label, values) : old)
                .toList();
        Map<String, MetricFamily> changed = new LinkedHashMap<>(families);
        changed.put(family, declared.withLabels(labels));
        return new MetricCatalogue(prefix, changed);
    }

    /**
     * Returns the same catalogue with a remark behind a family's help, for what holds in one program only.
     *
     * @param family name without the prefix
     * @param remark one sentence
     * @return the changed copy
     */
    public MetricCatalogue withRemark(String family, String remark) {
        MetricFamily declared = require(family);
        Map<String, MetricFamily> changed = new LinkedHashMap<>(families);
        changed.put(family, declared.withHelp(declared.help() + ". " + remark));
        return new MetricCatalogue(prefix, changed);
    }

    /**
     * Returns the start of every rendered name.
     *
     * @return the prefix
     */
    public String prefix() {
        return prefix;
    }

    /**
     * Returns all declarations.
     *
     * @return in the order of rendering
     */
    public List<MetricFamily> families() {
        return List.copyOf(families.values());
    }

    /**
     * Looks a declaration up.
     *
     * @param name name without the prefix
     * @return the declaration, if there is one
     */
    public Optional<MetricFamily> family(String name) {
        return Optional.ofNullable(families.get(name));
    }

    MetricFamily require(String name) {
        return family(name).orElseThrow(() -> new IllegalArgumentException("no such metric family: " + name));
    }

    private static MetricFamily family(JsonNode node) {
        List<MetricLabel> labels = new ArrayList<>();
        node.path("labels")
                .forEach(label -> labels.add(new MetricLabel(label.get("name").asText(), texts(label.get("values")))));
        return new MetricFamily(
                node.get("name").asText(),
                MetricType.valueOf(upper(node.get("type").asText())),
                node.get("help").asText(),
                labels,
                texts(node.path("buckets")).stream().map(BigDecimal::new).toList(),
                FamilyOrigin.valueOf(upper(node.get("origin").asText())),
                FamilyPresence.valueOf(upper(node.path("presence").asText("always"))),
                Extreme.valueOf(upper(node.path("extreme").asText("none"))));
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(value -> texts.add(value.asText()));
        return texts;
    }

    private static String upper(String text) {
        return text.toUpperCase(Locale.ROOT);
    }
}
