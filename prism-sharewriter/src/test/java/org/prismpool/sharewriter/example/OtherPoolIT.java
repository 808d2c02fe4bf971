package org.prismpool.sharewriter.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.sharewriter.contract.Samples.share;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.prismpool.sharewriter.TestPostgres;

@Execution(ExecutionMode.SAME_THREAD)
class OtherPoolIT {

    @Test
    void anotherPoolCommitsItsSharesAndHandsTheLeaseOn() throws Exception {
        String url = TestPostgres.emptyDatabase();
        try (OtherPool pool = new OtherPool(url)) {
            assertThat(pool.accept(share("theirs", 42)).get(20, TimeUnit.SECONDS))
                    .isTrue();
        }
        try (OtherPool successor = new OtherPool(url)) {
            assertThat(successor.accept(share("next", 43)).get(20, TimeUnit.SECONDS))
                    .isTrue();
        }
        assertThat(TestPostgres.ask(url, "SELECT string_agg(share_id, ',' ORDER BY share_seq) FROM qbit_share_ledger"))
                .isEqualTo("theirs,next");
    }

    @Test
    void theReadmeShowsThisVeryCode() throws Exception {
        String source = Files.readString(Path.of("src/test/java/org/prismpool/sharewriter/example/OtherPool.java"));
        String shown = source.substring(source.indexOf("final class OtherPool"));

        assertThat(Files.readString(Path.of("README.md"))).contains(shown.strip());
    }
}
