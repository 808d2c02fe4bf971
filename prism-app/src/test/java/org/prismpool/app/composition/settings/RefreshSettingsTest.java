package org.prismpool.app.composition.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.prismpool.app.testing.TestSettings;
import org.prismpool.config.ConfigReport;
import org.prismpool.config.PrismConfiguration;
import org.prismpool.refresh.RefreshConfig;

/** The refresher's bounds, from the environment: spec 07 §3.2, §4.5. */
class RefreshSettingsTest {

    private static RefreshConfig.Bounds bounds(Map<String, String> more) {
        Map<String, String> settings = TestSettings.memory(1);
        settings.putAll(more);
        ConfigReport report = PrismConfiguration.loader().load(settings);
        assertThat(report.ok()).as(report.render()).isTrue();
        return RefreshSettings.of(report.environment()).bounds();
    }

    @Test
    void theWaiterGivesUpAfterTheBuildHasBeenToldThatItsTimeIsUp() {
        assertThat(bounds(Map.of()).build()).isEqualTo(Duration.ofMillis(61_250));
        assertThat(bounds(Map.of(
                                "PRISM_JOB_BUILD_TIMEOUT_SECONDS", "20", "PRISM_JOB_BUILD_CANCEL_GRACE_SECONDS", "0.5"))
                        .build())
                .isEqualTo(Duration.ofMillis(21_500));
    }

    @Test
    void theOtherBoundsAreThoseOfTheContract() {
        RefreshConfig.Bounds bounds = bounds(Map.of());

        assertThat(bounds.pass()).isEqualTo(Duration.ofSeconds(90));
        assertThat(bounds.lane()).isEqualTo(Duration.ofSeconds(5));
        assertThat(bounds.gate()).isEqualTo(Duration.ofSeconds(5));
        assertThat(bounds.rpc()).isEqualTo(Duration.ofSeconds(10));
        assertThat(bounds.reconcileJoin()).isEqualTo(Duration.ofSeconds(20));
    }
}
