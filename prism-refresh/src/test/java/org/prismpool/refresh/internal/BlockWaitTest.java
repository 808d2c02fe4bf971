package org.prismpool.refresh.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.refresh.internal.RefreshRig.A;
import static org.prismpool.refresh.internal.RefreshRig.B;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.prismpool.refresh.RefreshCompanions;
import org.prismpool.refresh.RefreshConfig;
import org.prismpool.refresh.RefreshHeartbeat;

/** The block wait only detects: spec 07 §2.4, A45, trap 18. */
class BlockWaitTest {

    @Test
    void aNewTipIsDetectedNeverPublishedAndLatchesARetry() throws InterruptedException {
        RefreshRig rig = new RefreshRig().settled(1);
        rig.engine.blockWaitRound();
        rig.chain.mine(B);

        assertThat(rig.engine.blockWaitRound()).isTrue();

        assertThat(rig.publishedTip()).isEqualTo(A);
        assertThat(rig.engine.authority().newestKnownTip()).contains(B);
        rig.driveUntil(rig.time.now().plusMillis(1));
        assertThat(rig.publishedTip()).isEqualTo(B);
    }

    @Test
    void theSameTipIsAskedForAgainAfterAQuarterSecond() throws InterruptedException {
        RefreshRig rig = new RefreshRig().settled(1);
        rig.engine.blockWaitRound();
        Duration before = rig.time.now();

        rig.engine.blockWaitRound();

        assertThat(rig.time.now().minus(before)).isEqualTo(Duration.ofMillis(250));
    }

    @Test
    void aNodeWithoutTheCallEndsTheLoopAndItsHeartbeat() throws InterruptedException {
        RefreshRig rig = new RefreshRig().settled(1);
        rig.engine.blockWaitRound();
        rig.chain.waitUnsupported = true;

        assertThat(rig.engine.blockWaitRound()).isFalse();

        assertThat(rig.removedHeartbeats).containsExactly(RefreshHeartbeat.BLOCKWAIT);
        rig.chain.mine(B);
        rig.driveUntil(rig.time.now().plusSeconds(3));
        assertThat(rig.publishedTip()).isEqualTo(B);
    }

    @Test
    void aFailingCallBacksOffForAPollInterval() throws InterruptedException {
        RefreshRig rig = new RefreshRig().settled(1);
        rig.chain.down = true;
        Duration before = rig.time.now();

        assertThat(rig.engine.blockWaitRound()).isTrue();

        assertThat(rig.time.now().minus(before)).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void aWaitThatTheStopEndedIsNoFaultOfTheNode() throws InterruptedException {
        RefreshRig rig = new RefreshRig().settled(1);
        rig.engine.blockWaitRound();
        rig.chain.waitCancelled = true;
        Duration before = rig.time.now();
        String log = logOf(() -> assertThat(rig.engine.blockWaitRound()).isTrue());

        assertThat(log).isEmpty();
        assertThat(rig.time.now().minus(before)).as("and no hot loop").isEqualTo(Duration.ofSeconds(2));
        assertThat(rig.removedHeartbeats).isEmpty();
        rig.driveUntil(rig.time.now().plusMillis(1));
        assertThat(rig.attempts).as("nothing was seen, so nothing is retried").isEmpty();

        rig.chain.waitCancelled = false;
        rig.chain.down = true;
        assertThat(logOf(rig.engine::blockWaitRound)).contains("waiting for a new block failed");
    }

    /** A step that may be interrupted. */
    private interface Step {
        void run() throws InterruptedException;
    }

    /** What is logged meanwhile: the tests' logger writes to the standard error. */
    private static String logOf(Step step) throws InterruptedException {
        PrintStream stderr = System.err;
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
        try {
            step.run();
        } finally {
            System.setErr(stderr);
        }
        return written.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aFailingObservationAdvancesTheCursorAndLatchesOneRetry() throws InterruptedException {
        boolean[] broken = {false};
        RefreshRig rig = new RefreshRig(RefreshConfig.defaults(), RefreshCompanions.none());
        rig.settled(1);
        rig.engine.blockWaitRound();
        rig.chain.mine(B);
        rig.gate.onCurrent = () -> {
            if (broken[0]) {
                throw new IllegalStateException("payout state is not readable");
            }
        };
        broken[0] = true;
        rig.engine.blockWaitRound();
        broken[0] = false;
        int waits = rig.chain.waitCalls;

        rig.engine.blockWaitRound();

        assertThat(rig.chain.waitCalls).isEqualTo(waits + 1);
        assertThat(rig.engine.authority().newestKnownTip())
                .as("the tip is not reported a second time")
                .contains(A);
        rig.driveUntil(rig.time.now().plusMillis(1));
        assertThat(rig.attempts).as("the latched retry").hasSize(1);
    }

    @Test
    void theWaitAtTheNodeStaysBelowTheWatchdog() {
        RefreshConfig.Observation defaults = RefreshConfig.Observation.defaults();
        assertThat(defaults.serverWait()).isEqualTo(Duration.ofSeconds(5));
        assertThat(defaults.clientWait()).isEqualTo(Duration.ofSeconds(15));

        RefreshConfig.Observation nervous = new RefreshConfig.Observation(
                Duration.ofSeconds(2), true, Duration.ofSeconds(5), Duration.ofSeconds(5));
        assertThat(nervous.serverWait()).isEqualTo(Duration.ofSeconds(3));
        assertThat(nervous.clientWait()).isEqualTo(Duration.ofSeconds(13));
    }
}
