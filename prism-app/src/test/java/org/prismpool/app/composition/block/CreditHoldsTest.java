package org.prismpool.app.composition.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.prismpool.lifecycle.testing.ManualClock;
import org.prismpool.sharewriter.AnchorFloor;
import org.prismpool.templates.chain.Hash256;

class CreditHoldsTest {

    private static final Hash256 BLOCK = Hash256.ofDisplayHex("ab".repeat(32));

    private final AtomicLong now = new AtomicLong(1_000);
    private final AnchorFloor floor = new AnchorFloor(now::get, new ManualClock());
    private final CreditHolds credits = new CreditHolds(floor);

    @Test
    void windowsStayBelowAShareUntilItsBlockIsSettled() {
        assertThat(credits.stamp(BLOCK)).isEqualTo(1_000);
        now.set(5_000);
        assertThat(floor.anchor(5_000)).isEqualTo(999);

        credits.release(BLOCK);

        assertThat(floor.anchor(5_000)).isEqualTo(4_999);
    }

    @Test
    void aSolveThatComesTwiceHoldsOnceAtItsFirstStamp() {
        credits.holdAt(BLOCK, 700);
        now.set(5_000);

        assertThat(credits.stamp(BLOCK)).as("the stamp of the stored intent").isEqualTo(700);
        assertThat(credits.count()).isEqualTo(1);
        credits.release(BLOCK);
        credits.release(BLOCK);
        assertThat(floor.anchor(5_000)).isEqualTo(4_999);
    }
}
