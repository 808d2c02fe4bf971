package org.prismpool.delivery.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.prismpool.delivery.CoverageView;
import org.prismpool.delivery.Generations;

/** Coverage: spec 07 §7.8. */
class CoverageTest {

    @Test
    void onlyTheExactPublishedWorkOfThisLifeCountsAsCurrent() {
        DeliveryRig rig = new DeliveryRig().served(4);
        rig.connect(5);
        rig.connect(6).eligible = false;
        assertThat(rig.engine.coverage()).isEqualTo(new CoverageView(5, 4, 4, 1, 1));

        rig.client(1).generations = new Generations(2, 0, "worker.1");
        assertThat(rig.engine.coverage()).isEqualTo(new CoverageView(5, 3, 4, 1, 1));

        rig.work.nextGeneration();
        assertThat(rig.engine.coverage())
                .as("a newer template of the same work")
                .isEqualTo(new CoverageView(5, 0, 4, 1, 1));

        rig.work.payout = 6;
        assertThat(rig.engine.coverage()).isEqualTo(new CoverageView(5, 0, 0, 5, 1));
    }

    @Test
    void withoutAPublishedTipNobodyIsCurrent() {
        DeliveryRig rig = new DeliveryRig().served(2);
        rig.work.nothingPublished = true;

        assertThat(rig.engine.coverage().current()).isZero();
    }
}
