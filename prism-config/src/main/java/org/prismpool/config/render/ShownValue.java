package org.prismpool.config.render;

import java.util.Map;
import java.util.Optional;
import org.prismpool.config.Secret;
import org.prismpool.config.variable.Variable;

/** Shows {@code NAME=value} without secrets, control characters or endless text. Source: spec 01 §2.9. */
public final class ShownValue {

    private static final int MAX_LENGTH = 64;

    private ShownValue() {}

    /**
     * Shows a variable with its text.
     *
     * @param variable the variable
     * @param given texts by name
     * @return {@code NAME=text}, {@code NAME=***} for a secret, {@code NAME (default …)} or {@code NAME (unset)} otherwise
     */
    public static String of(Variable<?> variable, Map<String, String> given) {
        String text = given.get(variable.name());
        if (text != null) {
            return variable.name() + "=" + (variable.secret() ? Secret.MASK : escaped(text));
        }
        Optional<String> fallback =
                variable.defaultText().or(() -> variable.derivation().map(Variable.Derivation::text));
        return variable.name() + fallback.map(d -> " (default " + d + ")").orElse(" (unset)");
    }

    /**
     * Escapes and cuts a text that is not secret.
     *
     * @param text the text
     * @return printable text of limited length
     */
    public static String escaped(String text) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            if (i == MAX_LENGTH) {
                return shown.append("…").toString();
            }
            char c = text.charAt(i);
            if (Character.isISOControl(c) || Character.isSurrogate(c) || c == '\u2028' || c == '\u2029') {
                shown.append(String.format("\\u%04x", (int) c));
            } else {
                shown.append(c);
            }
        }
        return shown.toString();
    }
}
