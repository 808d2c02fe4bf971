package org.prismpool.sharewriter.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.prismpool.sharewriter.TestPostgres;
import org.prismpool.sharewriter.bench.LedgerBench.Plan;
import org.prismpool.sharewriter.bench.LedgerBench.Report;

class LedgerBenchIT {

    @Test
    void everyPartIsMeasuredOnADurableServer() throws Exception {
        Report report = new LedgerBench(TestPostgres.emptyMigratedDatabase(), line -> {}).run(new Plan(1000, 50, 2000));

        assertThat(report.durability()).containsExactly("on", "on", "on");
        assertThat(report.reference64()).isPositive();
        assertThat(report.writer64()).isPositive();
        assertThat(report.paced().p99()).isPositive();
        assertThat(report.windowCold()).isPositive();
        assertThat(report.windowTail()).isPositive();
    }

    @Test
    @Tag("soak")
    void theTargetsHold() throws Exception {
        Report report = new LedgerBench(TestPostgres.emptyMigratedDatabase(), System.out::println)
                .run(new Plan(20_000, 500, 400_000));
        System.out.println(report);

        assertThat(report.ratio()).isGreaterThanOrEqualTo(3.0);
        assertThat(report.paced().p99()).isLessThanOrEqualTo(report.commit().p99() + 2.0);
        assertThat(report.windowCold()).isLessThanOrEqualTo(1500);
        assertThat(report.windowTail()).isLessThanOrEqualTo(20);
    }
}
