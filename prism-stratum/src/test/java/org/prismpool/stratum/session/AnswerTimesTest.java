package org.prismpool.stratum.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.stratum.WorkedExample.EN2;
import static org.prismpool.stratum.WorkedExample.NTIME;
import static org.prismpool.stratum.WorkedExample.USER;

import org.junit.jupiter.api.Test;

/** The time to the acknowledgement ends with its last byte, for good answers and for bad ones (spec 02 §9, trap 33). */
class AnswerTimesTest {

    private final Rig rig = new Rig();
    private final FakeWire miner = rig.connectAs(42);

    @Test
    void bothKindsOfAnswersAreTimedAfterTheyWereWritten() {
        Rig.login(miner, USER, "x");
        String job = miner.lastJob().jobId();
        miner.slow = true;

        assertThat(Rig.submit(miner, USER, job, EN2, NTIME, "1a2b3c51")).contains("\"result\": true");
        assertThat(Rig.submit(miner, USER, job, EN2, NTIME, "1a2b3c51")).contains("duplicate-share");
        assertThat(Rig.submit(miner, USER, job, "00", NTIME, "1a2b3c51")).contains("invalid-extranonce");
        assertThat(rig.metrics.count("ack:accepted")).isZero();
        assertThat(rig.metrics.count("ack:rejected")).isZero();

        miner.writeEverything();
        assertThat(rig.metrics.count("ack:accepted")).isEqualTo(1);
        assertThat(rig.metrics.count("ack:rejected")).isEqualTo(2);
    }

    @Test
    void onlySubmitsAreTimed() {
        Rig.login(miner, USER, "x");
        Rig.configure(miner);
        miner.feed("{\"id\":7,\"method\":\"mining.extranonce.subscribe\",\"params\":[]}");

        assertThat(rig.metrics.count("ack:accepted")).isZero();
        assertThat(rig.metrics.count("ack:rejected")).isZero();
    }
}
