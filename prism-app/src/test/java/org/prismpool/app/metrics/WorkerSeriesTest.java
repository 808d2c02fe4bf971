package org.prismpool.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.metrics.Exposition;
import org.prismpool.lifecycle.metrics.FamilyOrigin;
import org.prismpool.lifecycle.metrics.MetricCatalogue;
import org.prismpool.lifecycle.metrics.MetricFamilies;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.stratum.RejectReason;
import org.prismpool.stratum.StratumMetrics;
import org.prismpool.stratum.session.WorkerLabels;

/** Worker labels in the scraped document: bounded, escaped, and every reason there from the start (acceptance 51 to 54). */
class WorkerSeriesTest {

    private final MetricFamilies families = new MetricFamilies(UnfedFamilies.marked(MetricCatalogue.ofThePool(), true)
            .withValues("vardiff_lane_accepted_shares_total", "lane", List.of("default"))
            .withValues("vardiff_lane_accepted_shares_per_second", "lane", List.of("default")));
    private final StratumMetrics port =
            OwnerMetrics.of(families, true, new ManualClock()).stratum();

    private String document() {
        return new Exposition(families).render(FamilyOrigin.COLLECTOR, FamilyOrigin.RECOVERY, FamilyOrigin.ADDED);
    }

    @Test
    void fiftyThousandNamesKeepTheDocumentSmall() {
        WorkerLabels labels = new WorkerLabels(100);
        for (int i = 0; i < 50_000; i++) {
            String label = labels.label("address.worker-" + i);
            port.submitted(label);
            port.accepted(label, "default", false);
            port.rejected(RejectReason.LOW_DIFFICULTY, Optional.of(label));
        }
        String document = document();

        assertThat(document.getBytes(StandardCharsets.UTF_8).length).isLessThan(1 << 20);
        assertThat(document.lines().filter(line -> line.startsWith("qbit_prism_worker_submitted_shares_total{")))
                .hasSize(101)
                .contains("qbit_prism_worker_submitted_shares_total{worker=\"_other\"} 49900");
        assertThat(document).contains("qbit_prism_submitted_shares_total 50000");
    }

    @Test
    void everyReasonStandsInTheFirstDocumentWithZero() {
        String document = document();

        assertThat(RejectReason.values()).hasSize(16);
        for (RejectReason reason : RejectReason.values()) {
            assertThat(document).contains("qbit_prism_rejections_total{reason_id=\"" + reason.id() + "\"} 0\n");
        }
    }

    @Test
    void labelsAreEscaped() {
        port.submitted("a\"b\\c\nd\re");

        assertThat(document()).contains("qbit_prism_worker_submitted_shares_total{worker=\"a\\\"b\\\\c\\nd\\re\"} 1\n");
    }

    @Test
    void aLongNameIsCutToAHundredAndTwentyEightCharactersNeverInsideOne() {
        WorkerLabels labels = new WorkerLabels(10);

        assertThat(labels.label("x".repeat(130))).isEqualTo("x".repeat(128));
        String face = "\ud83d\ude00";
        assertThat(labels.label(face.repeat(130))).isEqualTo(face.repeat(128));
        assertThat(labels.label("y".repeat(127) + face + "z")).isEqualTo("y".repeat(127) + face);
    }
}
