package org.prismpool.app.check;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Texts that packaging and checks read and the coordinator does not. */
final class Words {

    private Words() {}

    /** A given text with outer blanks removed; empty if it is not given at all. */
    static Optional<String> given(Map<String, String> texts, String name) {
        return Optional.ofNullable(texts.get(name)).map(String::strip);
    }

    /** A switch: empty if it is not given, or is no boolean. */
    static Optional<Boolean> flag(Map<String, String> texts, String name) {
        return given(texts, name).flatMap(text -> switch (text.toLowerCase(Locale.ROOT)) {
            case "1", "true", "yes", "on" -> Optional.of(true);
            case "0", "false", "no", "off" -> Optional.of(false);
            default -> Optional.empty();
        });
    }

    /** Whether a switch is given and is no boolean. */
    static boolean malformedFlag(Map<String, String> texts, String name) {
        return given(texts, name).isPresent() && flag(texts, name).isEmpty();
    }

    static boolean isMainnet(Map<String, String> texts) {
        String chain = given(texts, "QBIT_CHAIN").orElse("").toLowerCase(Locale.ROOT);
        return chain.equals("main") || chain.equals("mainnet");
    }

    /** Production as checks see it: the main network, or either switch. */
    static boolean isProduction(Map<String, String> texts) {
        return isMainnet(texts)
                || flag(texts, "QBIT_PRODUCTION").orElse(false)
                || flag(texts, "QBIT_TOOLS_PRODUCTION").orElse(false);
    }
}
