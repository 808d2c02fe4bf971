package org.prismpool.lifecycle.shutdown;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ShutdownPhaseTest {

    @Test
    void theStepsAreThoseOfTheContract() {
        assertThat(next(ShutdownPhase.RUNNING))
                .containsExactlyInAnyOrder(ShutdownPhase.REQUESTED, ShutdownPhase.QUIESCING_WRITERS);
        assertThat(next(ShutdownPhase.REQUESTED)).containsExactly(ShutdownPhase.QUIESCING_WRITERS);
        assertThat(next(ShutdownPhase.QUIESCING_WRITERS))
                .containsExactlyInAnyOrder(ShutdownPhase.WRITERS_QUIESCED, ShutdownPhase.RELEASE_WITHHELD);
        assertThat(next(ShutdownPhase.WRITERS_QUIESCED))
                .containsExactlyInAnyOrder(ShutdownPhase.RELEASING_LEASE, ShutdownPhase.RELEASE_WITHHELD);
        assertThat(next(ShutdownPhase.RELEASING_LEASE))
                .containsExactlyInAnyOrder(
                        ShutdownPhase.LEASE_RELEASED,
                        ShutdownPhase.LEASE_RELEASE_FAILED,
                        ShutdownPhase.LEASE_RELEASE_TIMED_OUT);
        assertThat(next(ShutdownPhase.DRAINING_NON_WRITERS)).containsExactly(ShutdownPhase.COMPLETE);
        assertThat(next(ShutdownPhase.COMPLETE)).isEmpty();
    }

    @Test
    void everyWayOfHandlingTheLeaseLeadsToTheDrain() {
        Set<ShutdownPhase> handled = EnumSet.of(
                ShutdownPhase.LEASE_RELEASED,
                ShutdownPhase.LEASE_RELEASE_FAILED,
                ShutdownPhase.LEASE_RELEASE_TIMED_OUT,
                ShutdownPhase.RELEASE_WITHHELD);

        assertThat(handled).allSatisfy(phase -> {
            assertThat(phase.leaseHandled()).isTrue();
            assertThat(next(phase)).containsExactly(ShutdownPhase.DRAINING_NON_WRITERS);
        });
        assertThat(ShutdownPhase.RELEASING_LEASE.leaseHandled()).isFalse();
    }

    private static Set<ShutdownPhase> next(ShutdownPhase phase) {
        return Stream.of(ShutdownPhase.values()).filter(phase::mayMoveTo).collect(Collectors.toSet());
    }
}
