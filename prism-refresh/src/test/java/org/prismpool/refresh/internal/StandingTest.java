package org.prismpool.refresh.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.prismpool.refresh.internal.RefreshRig.A;
import static org.prismpool.refresh.internal.RefreshRig.B;
import static org.prismpool.refresh.internal.RefreshRig.C;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.prismpool.refresh.RefreshConfig;

/** Published-tip authority: spec 07 §2.10, A19. */
class StandingTest {

    @Test
    void anUnpublishedWindowIsCoveredByTheDivergenceLease() {
        RefreshRig rig = new RefreshRig().settled(1);
        rig.engine.observe(B, rig.engine.reserveObservation());

        rig.time.pass(Duration.ofSeconds(9));
        assertThat(rig.engine.standing().authoritative()).isTrue();
        assertThat(rig.engine.standing().pinned()).isTrue();
        rig.engine.observe(C, rig.engine.reserveObservation());
        rig.time.pass(Duration.ofSeconds(110));
        assertThat(rig.engine.standing().authoritative()).isTrue();
        rig.time.pass(Duration.ofSeconds(2));
        assertThat(rig.engine.standing().authoritative()).isFalse();
        assertThat(rig.engine.standing().pinned()).isFalse();
    }

    @Test
    void withoutDivergenceTheAuthorityLastsTenSecondsFromTheLastAgreement() {
        RefreshRig rig = new RefreshRig().settled(1);
        rig.time.pass(Duration.ofSeconds(10));
        assertThat(rig.engine.standing().authoritative()).isTrue();
        rig.time.pass(Duration.ofNanos(1));
        assertThat(rig.engine.standing().authoritative()).isFalse();

        rig.engine.observe(A, rig.engine.reserveObservation());

        assertThat(rig.engine.standing().authoritative()).isTrue();
    }

    @Test
    void nothingPublishedOrAZeroAgeAlwaysAsksTheNode() {
        assertThat(new RefreshRig().engine.standing().authoritative()).isFalse();
        RefreshRig zero = new RefreshRig(RefreshConfig.defaults()
                .with(new RefreshConfig.Pacing(Duration.ofSeconds(1), Duration.ofSeconds(120), Duration.ZERO)));
        assertThat(zero.settled(1).engine.standing().authoritative()).isFalse();
    }

    @Test
    void withoutAFailureBudgetThereIsNoLease() {
        RefreshRig rig = new RefreshRig(RefreshConfig.defaults()
                        .with(new RefreshConfig.Pacing(Duration.ofSeconds(1), Duration.ZERO, Duration.ofSeconds(10))))
                .settled(1);
        rig.engine.observe(B, rig.engine.reserveObservation());
        rig.time.pass(Duration.ofSeconds(11));

        assertThat(rig.engine.standing().authoritative()).isFalse();
    }
}
