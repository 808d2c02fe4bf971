package org.prismpool.app.composition;

import java.time.Clock;
import org.prismpool.payout.state.WindowClock;
import org.prismpool.sharewriter.AnchorFloor;

/** Wall time of windows, with the anchor that no share still under way can fall behind. */
final class AnchoredClock implements WindowClock {

    private final Clock wall;
    private final AnchorFloor floor;

    AnchoredClock(Clock wall, AnchorFloor floor) {
        this.wall = wall;
        this.floor = floor;
    }

    @Override
    public long nowMs() {
        return wall.millis();
    }

    @Override
    public long cleanAnchorMs() {
        return floor.anchor(nowMs());
    }
}
