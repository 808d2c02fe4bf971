package org.prismpool.app.composition.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.prismpool.config.ConfigReport;
import org.prismpool.config.Environment;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.lifecycle.health.HealthDeadlines;
import org.prismpool.payout.finalization.FinalizerConfig;

class OwnerSettingsTest {

    private static Environment environment(String... settings) {
        Map<String, String> e = new HashMap<>(Map.of(
                "QBIT_RPC_HOST", "q",
                "QBIT_RPC_USER", "u",
                "QBIT_RPC_PASSWORD", "p",
                "PRISM_ALLOW_MEMORY_LEDGER", "1",
                "PRISM_ALLOW_TEST_SIGNING_SEEDS", "1",
                "PRISM_ALLOW_BUNDLE_EMBEDDED_LEDGER_KEY", "1"));
        for (String setting : settings) {
            String[] sides = setting.split("=", 2);
            e.put(sides[0], sides[1]);
        }
        ConfigReport report = PrismConfiguration.loader().load(e);
        assertThat(report.errors()).isEmpty();
        return report.environment();
    }

    /** Worked examples of rule W4: the longest landing is the watchdog's timeout, of which a landing gets half. */
    @ParameterizedTest
    @CsvSource({"120,1,30,60", "300,1,30,120", "120,0,30,120", "100,1,30,50"})
    void aLandingIsGrantedAtMostHalfOfTheWatchdogsPatience(int watchdog, int enabled, int first, int longest) {
        FinalizerConfig config = OwnerSettings.finalizer(
                environment("PRISM_WATCHDOG_TIMEOUT_SECONDS=" + watchdog, "PRISM_WATCHDOG_ENABLED=" + enabled));

        assertThat(config.landingTimeout()).isEqualTo(Duration.ofSeconds(first));
        assertThat(config.landingTimeoutMax()).isEqualTo(Duration.ofSeconds(longest));
    }

    @Test
    void healthHasItsOwnDeadlines() {
        HealthDeadlines deadlines = OwnerSettings.health(environment(
                "PRISM_HEALTH_TIP_POLL_MAX_AGE_SECONDS=16",
                "PRISM_HEALTH_PENDING_REFRESH_MAX_AGE_SECONDS=17",
                "PRISM_BUNDLE_BUILD_TIMEOUT_SECONDS=18",
                "PRISM_JOB_BUILD_TIMEOUT_SECONDS=19"));

        assertThat(deadlines)
                .isEqualTo(new HealthDeadlines(Duration.ofSeconds(16), Duration.ofSeconds(17), Duration.ofSeconds(18)));
    }

    @Test
    void stoppingAndWatchingFollowTheirVariables() {
        Environment e = environment(
                "PRISM_WRITER_QUIESCENCE_TIMEOUT_SECONDS=3",
                "PRISM_WATCHDOG_LEASE_RELEASE_TIMEOUT_SECONDS=4",
                "PRISM_WATCHDOG_INTERVAL_SECONDS=5",
                "PRISM_TEMPLATE_REFRESH_FAILURE_EXIT_SECONDS=6",
                "PRISM_COORDINATION_BLOCKED_EXIT_SECONDS=7");

        assertThat(OwnerSettings.shutdown(e).writerQuiescenceTimeout()).isEqualTo(Duration.ofSeconds(3));
        assertThat(OwnerSettings.fatal(e).releaseBudget()).isEqualTo(Duration.ofSeconds(4));
        assertThat(OwnerSettings.watchdog(e).interval()).isEqualTo(Duration.ofSeconds(5));
        assertThat(OwnerSettings.watchdog(e).publicationBudget()).isEqualTo(Duration.ofSeconds(6));
        assertThat(OwnerSettings.watchdog(e).coordinationBudget()).isEqualTo(Duration.ofSeconds(7));
    }
}
