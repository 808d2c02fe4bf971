package org.prismpool.sharewriter.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.sharewriter.contract.Samples.share;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.sharewriter.AppendEntry;
import org.prismpool.sharewriter.AppendResult;
import org.prismpool.sharewriter.ShareWriter;
import org.prismpool.sharewriter.ShareWriterConfig;
import org.prismpool.sharewriter.TestPostgres;
import org.prismpool.sharewriter.postgres.TestLedger;

@DisabledIfSystemProperty(named = "prism.test.postgres", matches = ".+")
class RestartedServerIT {

    @Test
    void aCrashOfTheServerInTheMiddleOfTheLoadLosesAndDoublesNothing() throws Exception {
        try (TestLedger postgres = TestLedger.open()) {
            ShareWriter writer = new ShareWriter(
                    postgres.ledger().shares(),
                    ShareWriterConfig.DEFAULTS,
                    ShareWriter.Ports.none(MonotonicClock.system()),
                    MonotonicClock.system());
            writer.start();
            List<CompletableFuture<AppendResult>> answers = new ArrayList<>();
            for (int i = 0; i < 3000; i++) {
                answers.add(writer.submit(AppendEntry.share(share("s" + i, 1))));
            }
            answers.get(100).get(20, TimeUnit.SECONDS);
            TestPostgres.crashAndRestart();

            for (CompletableFuture<AppendResult> answer : answers) {
                assertThat(answer.get(100, TimeUnit.SECONDS)).isInstanceOf(AppendResult.New.class);
            }
            writer.close();
            assertThat(TestPostgres.ask(
                            postgres.url(),
                            "SELECT count(*) || ' ' || count(DISTINCT share_id) FROM qbit_share_ledger"))
                    .isEqualTo("3000 3000");
        }
    }
}
