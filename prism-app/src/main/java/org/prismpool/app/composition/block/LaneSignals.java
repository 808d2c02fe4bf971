package org.prismpool.app.composition.block;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.prismpool.lifecycle.service.Heartbeats;
import org.prismpool.lifecycle.shutdown.ShutdownController;
import org.prismpool.lifecycle.watchdog.FatalReason;
import org.prismpool.lifecycle.watchdog.Watchdog;
import org.prismpool.templates.block.LaneAlarms;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the candidate lane tells the process: the block limit, stuck calls, unpersisted blocks, its heartbeat. */
public final class LaneSignals implements LaneAlarms {

    /** Heartbeat name of the lane. */
    static final String HEARTBEAT = "block_submitter";

    private static final Logger LOG = LoggerFactory.getLogger(LaneSignals.class);

    private final ShutdownController controller;
    private final Watchdog watchdog;
    private final Heartbeats heartbeats;
    private final Duration stuckLimit;
    private final AtomicBoolean open = new AtomicBoolean(true);
    private final AtomicInteger spooled = new AtomicInteger();

    public LaneSignals(ShutdownController controller, Watchdog watchdog, Heartbeats heartbeats, Duration stuckLimit) {
        this.controller = controller;
        this.watchdog = watchdog;
        this.heartbeats = heartbeats;
        this.stuckLimit = stuckLimit;
    }

    @Override
    public void blockLimitReached() {
        open.set(false);
        LOG.atInfo().log("the wanted number of blocks is found, stopping");
        controller.request(OptionalInt.empty());
    }

    @Override
    public void restartRequired(String reason) {
        LOG.atError().addKeyValue("reason", reason).log("block work is stuck, the process has to be restarted");
        watchdog.requestFatalExit(new FatalReason.BlockWorkStuck(0, stuckLimit));
        controller.request(OptionalInt.empty());
    }

    @Override
    public void unpersistedBlocks(int count) {
        spooled.set(count);
    }

    @Override
    public void heartbeat() {
        heartbeats.beat(HEARTBEAT);
    }

    /** Whether shares are still wanted. */
    public boolean poolOpen() {
        return open.get();
    }

    public boolean anySpooled() {
        return spooled.get() > 0;
    }
}
