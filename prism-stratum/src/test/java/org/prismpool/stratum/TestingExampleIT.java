package org.prismpool.stratum;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.prismpool.stratum.testing.RecordedHandshake;
import org.prismpool.stratum.testing.StratumTestClient;

/** The README's example of the package for tests, compiled and run. */
class TestingExampleIT {

    @Test
    void theExampleReplaysEveryHandshake() throws Exception {
        try (Pool pool = Pool.started(Pool.config(Pool.listener()))) {
            int port = pool.port();
            String payoutAddress = WorkedExample.ADDRESS;

            // README: begin
            for (RecordedHandshake handshake : RecordedHandshake.all()) {
                try (StratumTestClient miner = StratumTestClient.connect(port)) {
                    handshake.replay(miner, payoutAddress + "." + handshake.name()); // fails at an unexpected answer
                }
            }
            // README: end

            assertThat(pool.metrics.count("submitted"))
                    .isGreaterThanOrEqualTo(RecordedHandshake.all().size());
        }
    }
}
