package org.prismpool.config.render;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.TreeMap;
import org.prismpool.config.Environment;
import org.prismpool.config.Secret;
import org.prismpool.config.variable.Variable;
import org.prismpool.config.variable.VariableRegistry;

/** Prints effective values without secrets, and a fingerprint by which two processes can be compared. Thread-safe. */
public final class ConfigPrinter {

    private final VariableRegistry registry;

    /**
     * Creates a printer.
     *
     * @param registry variables to print
     */
    public ConfigPrinter(VariableRegistry registry) {
        this.registry = registry;
    }

    /**
     * Prints effective values, one {@code NAME=value} a line in documented order.
     *
     * @param environment the values
     * @param onlyGiven whether to leave out what the operator did not set
     * @return the text; secrets are masked, unset variables are left out
     */
    public String print(Environment environment, boolean onlyGiven) {
        StringBuilder text = new StringBuilder();
        for (Variable<?> variable : registry.variables()) {
            if (!onlyGiven || environment.given(variable)) {
                shown(variable, environment)
                        .ifPresent(value -> text.append(variable.name())
                                .append('=')
                                .append(value)
                                .append('\n'));
            }
        }
        return text.toString();
    }

    /**
     * Returns a fingerprint of the effective, masked values.
     *
     * @param environment the values
     * @return SHA-256 in hex over the sorted {@code NAME=value} lines
     */
    public String fingerprint(Environment environment) {
        TreeMap<String, String> sorted = new TreeMap<>();
        registry.variables().forEach(v -> shown(v, environment).ifPresent(value -> sorted.put(v.name(), value)));
        StringBuilder canonical = new StringBuilder();
        sorted.forEach((name, value) ->
                canonical.append(name).append('=').append(value).append('\n'));
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(canonical.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    /**
     * Shows one effective value.
     *
     * @param variable the variable
     * @param environment the values
     * @return the value as text with secrets masked, empty when unset
     */
    public static Optional<String> shown(Variable<?> variable, Environment environment) {
        return environment.find(variable).map(value -> shown(variable, (Object) value));
    }

    private static String shown(Variable<?> variable, Object value) {
        if (variable.secret() && !(value instanceof org.prismpool.config.DatabaseUrl)) {
            return Secret.MASK;
        }
        if (value instanceof Duration duration) {
            boolean milliseconds = variable.name().endsWith("_MILLISECONDS");
            BigDecimal seconds = BigDecimal.valueOf(duration.toNanos(), milliseconds ? 6 : 9);
            return seconds.signum() == 0 ? "0" : seconds.stripTrailingZeros().toPlainString();
        }
        if (value instanceof BigDecimal decimal) {
            return decimal.toPlainString();
        }
        if (value instanceof Boolean bool) {
            return bool ? "1" : "0";
        }
        return ShownValue.escaped(value.toString());
    }
}
