package org.prismpool.app.composition.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.app.composition.reader.DatabaseVerdict.State.AVAILABLE;
import static org.prismpool.app.composition.reader.DatabaseVerdict.State.REFUSED;
import static org.prismpool.app.composition.reader.DatabaseVerdict.State.UNAVAILABLE;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.prismpool.sharewriter.read.ReplicaState;

class DatabaseVerdictTest {

    private static final Freshness ANY = new Freshness(false, Duration.ofSeconds(60));
    private static final Freshness REPLICA = new Freshness(true, Duration.ofSeconds(60));
    private static final ReplicaState PRIMARY =
            new ReplicaState(false, Optional.empty(), Optional.empty(), OptionalLong.empty());

    private static ReplicaState standby(long silentSeconds) {
        return new ReplicaState(
                true,
                Optional.of(Duration.ofSeconds(silentSeconds)),
                Optional.of(Duration.ofDays(3)), // grows while the primary is idle, and must not matter
                OptionalLong.of(0));
    }

    private static DatabaseVerdict.State judged(Freshness wanted, Optional<ReplicaState> good, long ageSeconds) {
        return DatabaseVerdict.of(
                        new DatabaseVerdict.Known(good, Duration.ofSeconds(ageSeconds), Optional.empty()), wanted)
                .state();
    }

    private static DatabaseVerdict.State failing(Freshness wanted, Optional<ReplicaState> good, long ageSeconds) {
        return DatabaseVerdict.of(
                        new DatabaseVerdict.Known(good, Duration.ofSeconds(ageSeconds), Optional.of("refused")), wanted)
                .state();
    }

    @Test
    void withoutADemandAnyServerThatAnswersWillDo() {
        assertThat(judged(ANY, Optional.of(PRIMARY), 0)).isEqualTo(AVAILABLE);
        assertThat(judged(ANY, Optional.of(standby(7200)), 0)).isEqualTo(AVAILABLE);
        assertThat(judged(ANY, Optional.empty(), 0)).isEqualTo(UNAVAILABLE);
        assertThat(failing(ANY, Optional.of(PRIMARY), 7200)).isEqualTo(UNAVAILABLE);
    }

    @Test
    void aRequiredReplicaMustBeInRecovery() {
        assertThat(judged(REPLICA, Optional.of(PRIMARY), 0)).isEqualTo(REFUSED);
        assertThat(judged(REPLICA, Optional.of(standby(0)), 0)).isEqualTo(AVAILABLE);
    }

    @Test
    void theSilenceOfItsStreamIsBoundedAndTheReplayLagIsNot() {
        assertThat(judged(REPLICA, Optional.of(standby(60)), 0)).isEqualTo(AVAILABLE);
        assertThat(judged(REPLICA, Optional.of(standby(61)), 0)).isEqualTo(REFUSED);
    }

    @Test
    void aReplicaWithoutAStreamIsRefused() {
        ReplicaState cut = new ReplicaState(true, Optional.empty(), Optional.empty(), OptionalLong.empty());

        assertThat(judged(REPLICA, Optional.of(cut), 0)).isEqualTo(REFUSED);
    }

    @Test
    void aFailingQuestionAgesTheLastGoodAnswer() {
        assertThat(failing(REPLICA, Optional.of(standby(20)), 40)).isEqualTo(UNAVAILABLE);
        assertThat(failing(REPLICA, Optional.of(standby(20)), 41)).isEqualTo(REFUSED);
        assertThat(failing(REPLICA, Optional.empty(), 0)).isEqualTo(REFUSED);
    }
}
