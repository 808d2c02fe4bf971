package org.prismpool.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.prismpool.config.Environment;
import org.prismpool.config.render.ConfigExplainer;
import org.prismpool.config.render.ConfigPrinter;
import org.prismpool.config.variable.Variable;

/**
 * One setting as it is printed.
 *
 * @param name name of the variable
 * @param value value as text, a secret masked
 * @param source where the value came from
 * @param type its type and unit
 * @param allowed what it may be
 */
record ShownSetting(String name, String value, String source, String type, String allowed) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** The setting, or nothing if it is unset and so has no value to show. */
    static Optional<ShownSetting> of(Variable<?> variable, Environment e, boolean defaults) {
        Optional<String> value =
                defaults ? Optional.of(ConfigExplainer.defaultOf(variable)) : ConfigPrinter.shown(variable, e);
        String source = defaults ? "default" : e.origin(variable).name().toLowerCase(Locale.ROOT);
        return value.map(text -> new ShownSetting(
                variable.name(),
                text,
                source,
                variable.parser().type(),
                variable.parser().allowed()));
    }

    String line(boolean withSource) {
        return name + "=" + value + (withSource ? " # " + source + "; " + type + ", " + allowed : "");
    }

    static String json(boolean ok, List<ShownSetting> settings) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("schema", "prism.config.v1");
        document.put("ok", ok);
        document.put("settings", settings);
        try {
            return JSON.writeValueAsString(document);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("texts are always JSON", impossible);
        }
    }
}
