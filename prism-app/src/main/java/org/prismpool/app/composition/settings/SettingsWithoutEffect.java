package org.prismpool.app.composition.settings;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.config.ProcessRole;
import org.prismpool.config.variable.VariableRegistry;

/**
 * Settings that this program accepts, because the contract names them, and that nothing in it reads. Whoever sets one is told
 * so. A name leaves the list together with the change that reads it; a test compares the list with the program.
 */
public final class SettingsWithoutEffect {

    /** Parts that are not there: fanout broadcasting beside the pool. */
    private static final List<String> BROADCASTER = List.of(
            "PRISM_CTV_BROADCASTER_LIMIT",
            "PRISM_CTV_BROADCASTER_CHUNK_SIZE",
            "PRISM_CTV_BROADCASTER_INTERVAL_SECONDS",
            "PRISM_CTV_BROADCASTER_ONCE",
            "PRISM_CTV_BROADCAST_ATTEMPT_DETAIL_LIMIT",
            "PRISM_CTV_BROADCAST_RETRY_BACKOFF_SECONDS",
            "PRISM_CTV_FANOUT_CONFIRMATION_DEPTH");

    /** Choices with one possible outcome here: addresses are decoded without the node, no lock is waited for that long. */
    private static final List<String> BY_DESIGN = List.of(
            "PRISM_PAYOUT_ADDRESS_CACHE_MAX_ENTRIES",
            "PRISM_PAYOUT_ADDRESS_CACHE_TTL_SECONDS",
            "PRISM_BLOCK_SUBMIT_LOCK_WAIT_LOG_SECONDS",
            "PRISM_STRATUM_SHARE_WEIGHT",
            "PRISM_POSTGRES_NATIVE_CLIENT");

    private SettingsWithoutEffect() {}

    /**
     * Returns all names.
     *
     * @return exact names, sorted
     */
    public static Set<String> names() {
        Set<String> names = new TreeSet<>();
        Stream.of(BROADCASTER, BY_DESIGN).forEach(names::addAll);
        return names;
    }

    /**
     * Returns the names that are set to something else than what holds anyway.
     *
     * @param texts environment texts by name
     * @param role only names that it knows
     * @return exact names, sorted
     */
    public static List<String> given(Map<String, String> texts, ProcessRole role) {
        VariableRegistry known = PrismConfiguration.registry(role);
        return names().stream()
                .filter(name -> known.find(name).isPresent())
                .filter(name -> !texts.getOrDefault(name, "").isEmpty())
                .filter(name -> !packagedOrDefault(name, texts.getOrDefault(name, "")))
                .toList();
    }

    /**
     * Returns the same for a coordinator.
     *
     * @param texts environment texts by name
     * @return exact names, sorted
     */
    public static List<String> given(Map<String, String> texts) {
        return given(texts, ProcessRole.ALL);
    }

    /** A container always passes every name; its default is nobody's wish. */
    private static boolean packagedOrDefault(String name, String text) {
        return PrismConfiguration.registry()
                .find(name)
                .map(variable -> variable.defaultText().equals(Optional.of(text))
                        || variable.packagedText().equals(Optional.of(text)))
                .orElse(false);
    }
}
