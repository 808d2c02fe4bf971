package org.prismpool.sharewriter.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.prismpool.sharewriter.TestPostgres;
import org.prismpool.sharewriter.bench.LedgerBench.Plan;
import org.prismpool.sharewriter.bench.LedgerReport.Throughput;
import org.prismpool.sharewriter.postgres.PostgresTarget;
import org.prismpool.sharewriter.postgres.ScratchDatabase;

@Execution(ExecutionMode.SAME_THREAD)
class LedgerBenchIT {

    @Test
    void everyPartIsMeasuredOnADurableServer() throws Exception {
        String url = TestPostgres.emptyMigratedDatabase();

        LedgerReport report = new LedgerBench(PostgresTarget.parse(url), line -> {}).run(new Plan(600, 20, 2000));

        assertThat(report.server().durability()).containsExactly("on", "on", "on");
        assertThat(report.server().windowPlan()).anyMatch(line -> line.contains("Index Scan"));
        assertThat(report.batch64().ratio()).isPositive();
        assertThat(report.batch512().ratio()).isPositive();
        assertThat(report.defaults().ratio()).isPositive();
        assertThat(report.paced().p99()).isPositive();
        assertThat(report.windowCold()).isPositive();
        assertThat(report.windowTail()).isPositive();
        assertThat(TestPostgres.ask(url, "SELECT lease_expires_at < clock_timestamp() FROM qbit_ledger_writer_lease"))
                .as("the lease is free again")
                .isEqualTo("t");
    }

    @Test
    @Tag("soak")
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void theTargetsHold() throws Exception {
        LedgerReport report;
        try (ScratchDatabase scratch = ScratchDatabase.create(PostgresTarget.parse(TestPostgres.emptyDatabase()))) {
            report = new LedgerBench(scratch.target(), System.out::println).run(new Plan(20_000, 500, 400_000));
        }
        System.out.println(report);

        for (Throughput measured : List.of(report.batch64(), report.batch512(), report.defaults())) {
            assertThat(measured.ratio())
                    .as("three times the reference, or most of what the table allows where that is less")
                    .isGreaterThanOrEqualTo(Math.min(3.0, 0.75 * measured.bare() / measured.reference()));
        }
        assertThat(report.paced().p99()).isLessThanOrEqualTo(report.commit().p99() + 2.0);
        assertThat(report.windowCold()).isLessThanOrEqualTo(1500);
        assertThat(report.windowTail()).isLessThanOrEqualTo(20);
    }
}
