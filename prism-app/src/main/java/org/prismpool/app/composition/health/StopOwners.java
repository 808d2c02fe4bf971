package org.prismpool.app.composition.health;

import java.util.Map;
import java.util.function.Supplier;
import org.prismpool.app.composition.settings.OwnerSettings;
import org.prismpool.app.logging.LogOutput;
import org.prismpool.config.Environment;
import org.prismpool.lifecycle.event.LifecycleEvents;
import org.prismpool.lifecycle.shutdown.LeaseSlot;
import org.prismpool.lifecycle.shutdown.ShutdownController;
import org.prismpool.lifecycle.time.MonotonicClock;
import org.prismpool.lifecycle.watchdog.FatalShutdown;
import org.prismpool.lifecycle.watchdog.ProcessExit;

/**
 * The owners of stopping; they exist before anything that waits, and outlive everything else. They measure no time by
 * themselves, so a standby may wait for the lease as long as it takes.
 *
 * @param slot where the lease is put once it is held
 * @param controller shutdown and writer barrier
 * @param fatal the one fatal path
 */
public record StopOwners(LeaseSlot slot, ShutdownController controller, FatalShutdown fatal) {

    /**
     * Creates them; no thread is started.
     *
     * @param e valid environment
     * @param exit ends the process on the fatal path
     * @param driver state of the refresh driver, for logs of a fatal exit
     */
    public static StopOwners create(
            Environment e, ProcessExit exit, Supplier<? extends Map<String, ?>> driver, MonotonicClock clock) {
        LifecycleEvents events = LifecycleEvents.logged(LogOutput::flush);
        LeaseSlot slot = new LeaseSlot();
        ShutdownController controller = new ShutdownController(OwnerSettings.shutdown(e), slot, clock, events);
        return new StopOwners(
                slot, controller, new FatalShutdown(OwnerSettings.fatal(e), controller, exit, clock, events, driver));
    }
}
