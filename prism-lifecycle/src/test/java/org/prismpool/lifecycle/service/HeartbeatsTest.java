package org.prismpool.lifecycle.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.testing.ManualClock;

class HeartbeatsTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final ManualClock clock = new ManualClock();
    private final Heartbeats heartbeats = new Heartbeats(clock);

    @Test
    void silenceIsOverdueOnlyBeyondTheTimeout() {
        heartbeats.register("qbit_blockpoll");

        clock.advance(TIMEOUT);
        assertThat(heartbeats.overdue(TIMEOUT)).isEmpty();

        clock.advance(Duration.ofNanos(1));
        assertThat(heartbeats.overdue(TIMEOUT)).containsExactly("qbit_blockpoll");
    }

    @Test
    void theLabelTellsThePhaseAndIsSorted() {
        heartbeats.beat("share_writer");
        heartbeats.beat("block_submitter", "replay-outbox-query");

        clock.advance(Duration.ofSeconds(121));

        assertThat(heartbeats.overdue(TIMEOUT)).containsExactly("block_submitter:replay-outbox-query", "share_writer");
    }

    @Test
    void aBeatStartsTheAgeAgain() {
        heartbeats.register("share_writer");
        clock.advance(Duration.ofSeconds(100));

        heartbeats.beat("share_writer");
        clock.advance(Duration.ofSeconds(100));

        assertThat(heartbeats.overdue(TIMEOUT)).isEmpty();
        assertThat(heartbeats.ages()).isEqualTo(Map.of("share_writer", Duration.ofSeconds(100)));
    }

    @Test
    void pausesNest() {
        heartbeats.pause("qbit_blockpoll");
        heartbeats.pause("qbit_blockpoll");
        heartbeats.resume("qbit_blockpoll");

        clock.advance(Duration.ofSeconds(500));

        assertThat(heartbeats.overdue(TIMEOUT)).isEmpty();
        heartbeats.resume("qbit_blockpoll");
        assertThat(heartbeats.overdue(TIMEOUT)).isEmpty();
        clock.advance(Duration.ofSeconds(121));
        assertThat(heartbeats.overdue(TIMEOUT)).containsExactly("qbit_blockpoll");
    }

    @Test
    void aPauseOfABlockEndsWithIt() {
        heartbeats.register("a");
        heartbeats.register("b");
        try (Heartbeats.Pause pause = heartbeats.paused("a", "b")) {
            clock.advance(Duration.ofSeconds(500));
            assertThat(pause).isNotNull();
            assertThat(heartbeats.overdue(TIMEOUT)).isEmpty();
            assertThat(heartbeats.ages()).isEmpty();
        }
        clock.advance(Duration.ofSeconds(121));
        assertThat(heartbeats.overdue(TIMEOUT)).containsExactly("a", "b");
    }

    @Test
    void aResumeTooManyDoesNotEnableASecondPause() {
        heartbeats.register("a");
        heartbeats.resume("a");
        heartbeats.pause("a");

        clock.advance(Duration.ofSeconds(500));

        assertThat(heartbeats.overdue(TIMEOUT)).isEmpty();
    }

    @Test
    void aRemovedNameIsNeverOverdueEvenIfALateBeatComes() {
        heartbeats.register("qbit_blockwait");
        heartbeats.remove("qbit_blockwait");
        heartbeats.beat("qbit_blockwait");

        clock.advance(Duration.ofSeconds(500));

        assertThat(heartbeats.overdue(TIMEOUT)).isEmpty();
        heartbeats.register("qbit_blockwait");
        clock.advance(Duration.ofSeconds(500));
        assertThat(heartbeats.overdue(TIMEOUT)).containsExactly("qbit_blockwait");
    }
}
