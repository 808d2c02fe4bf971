package org.prismpool.lifecycle.health;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What the refresh driver does now (spec 08 section 4.6): the object {@code qbit_blockpoll} of the health answer.
 *
 * @param phase one of the phase names of the contract, {@code idle} between refreshes
 * @param tipHash displayed hash of the tip it works for, if it knows one
 * @param generation template generation it works for, if it knows one
 * @param phaseStart when the phase began
 * @param blockedPhaseSeconds seconds since then
 * @param lastSuccessfulPoll when the node was last polled coherently, if it was
 * @param lastSuccessfulRefresh when a refresh last came to its end, if one did
 * @param activeHelperPid process id of a running helper, if there is one
 * @param newestPendingGeneration number of the newest unresolved refresh request, if there is one
 */
public record RefreshDriverState(
        String phase,
        Optional<String> tipHash,
        OptionalLong generation,
        Instant phaseStart,
        double blockedPhaseSeconds,
        Optional<Instant> lastSuccessfulPoll,
        Optional<Instant> lastSuccessfulRefresh,
        OptionalLong activeHelperPid,
        OptionalLong newestPendingGeneration) {

    /** Checks that there is a phase. */
    public RefreshDriverState {
        Objects.requireNonNull(phase, "phase");
    }

    /**
     * One moment on both clocks.
     *
     * @param monotonicSeconds reading of the monotonic clock
     * @param unixSeconds wall-clock time
     */
    public record Instant(double monotonicSeconds, double unixSeconds) {}

    /**
     * Returns the state of a driver that has not begun.
     *
     * @return phase {@code idle} since the origin of both clocks
     */
    public static RefreshDriverState idle() {
        return new RefreshDriverState(
                "idle",
                Optional.empty(),
                OptionalLong.empty(),
                new Instant(0, 0),
                0,
                Optional.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                OptionalLong.empty());
    }

    /**
     * Returns the fields under their names in the contract.
     *
     * @return a copy in the order of the contract, with null for what is unknown
     */
    public Map<String, @Nullable Object> fields() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("phase", phase);
        fields.put("tip_hash", tipHash.orElse(null));
        fields.put("generation", orNull(generation));
        fields.put("phase_started_monotonic", rounded(phaseStart.monotonicSeconds()));
        fields.put("phase_started_unix_seconds", rounded(phaseStart.unixSeconds()));
        fields.put("blocked_phase_seconds", rounded(blockedPhaseSeconds));
        put(fields, "last_successful_poll", lastSuccessfulPoll);
        put(fields, "last_successful_refresh", lastSuccessfulRefresh);
        fields.put("active_helper_pid", orNull(activeHelperPid));
        fields.put("newest_pending_generation", orNull(newestPendingGeneration));
        return Collections.unmodifiableMap(fields);
    }

    private static void put(Map<String, @Nullable Object> fields, String name, Optional<Instant> at) {
        fields.put(
                name + "_monotonic", at.map(i -> rounded(i.monotonicSeconds())).orElse(null));
        fields.put(name + "_unix_seconds", at.map(i -> rounded(i.unixSeconds())).orElse(null));
    }

    private static @Nullable Long orNull(OptionalLong value) {
        return value.isPresent() ? value.getAsLong() : null;
    }

    private static BigDecimal rounded(double seconds) {
        return HealthNumbers.rounded(seconds, 3);
    }
}
