package org.prismpool.lifecycle.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The table of the contract, row by row, over every combination of what can be seen. */
class WatchdogVerdictProperties {

    private static final Duration PUBLICATION = Duration.ofMinutes(2);
    private static final Duration COORDINATION = Duration.ofMinutes(15);

    @Property(tries = 2_000)
    void theFirstRowThatAppliesWins(
            @ForAll boolean stopping,
            @ForAll boolean requested,
            @ForAll("ages") Optional<Duration> streak,
            @ForAll("ages") Optional<Duration> divergence,
            @ForAll boolean silent,
            @ForAll boolean liveness,
            @ForAll boolean publicationOn) {
        Optional<FatalReason> request =
                requested ? Optional.of(new FatalReason.BlockWorkStuck(2, Duration.ofSeconds(31))) : Optional.empty();
        TreeSet<String> overdue = new TreeSet<>(silent ? List.of("share_writer") : List.of());
        WatchdogConfig config = new WatchdogConfig(
                liveness,
                Duration.ofMinutes(2),
                Duration.ofSeconds(15),
                publicationOn ? PUBLICATION : Duration.ZERO,
                COORDINATION);

        WatchdogVerdict verdict =
                WatchdogVerdict.of(new WatchdogView(stopping, request, streak, divergence, overdue), config);

        assertThat(named(verdict))
                .isEqualTo(expected(stopping, requested, streak, divergence, silent && liveness, publicationOn));
    }

    private static String expected(
            boolean stopping,
            boolean requested,
            Optional<Duration> streak,
            Optional<Duration> divergence,
            boolean stuck,
            boolean publicationOn) {
        if (requested) {
            return "block_work_stuck";
        }
        if (stopping) {
            return "over";
        }
        if (streak.isPresent() && streak.get().toMinutes() >= 15) {
            return "coordination";
        }
        if (streak.isEmpty()
                && publicationOn
                && divergence.isPresent()
                && divergence.get().toMinutes() >= 2) {
            return "publication";
        }
        return stuck ? "liveness" : "healthy";
    }

    private static String named(WatchdogVerdict verdict) {
        if (verdict instanceof WatchdogVerdict.Fatal fatal) {
            return fatal.reason().id();
        }
        return verdict instanceof WatchdogVerdict.Over ? "over" : "healthy";
    }

    @Provide
    Arbitrary<Optional<Duration>> ages() {
        return Arbitraries.of(0L, 1L, 119_999L, 120_000L, 130_000L, 899_999L, 900_000L, 10_000_000L)
                .map(Duration::ofMillis)
                .optional();
    }
}
