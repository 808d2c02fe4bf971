package org.prismpool.sharewriter.read;

import java.time.Instant;
import java.util.Map;

/**
 * Accepted work over every {@link RateWindow}, all ending at one moment. A window holds its first and its last
 * microsecond.
 *
 * @param asOf end of the windows: the database's clock at the read
 * @param byWindow work per window; absent means none
 */
public record WorkByWindow(Instant asOf, Map<RateWindow, AcceptedWork> byWindow) {

    /** Copies the map. */
    public WorkByWindow {
        byWindow = Map.copyOf(byWindow);
    }

    /**
     * Returns the work of one window.
     *
     * @param window window
     * @return its work, {@link AcceptedWork#NONE} if no share was accepted in it
     */
    public AcceptedWork in(RateWindow window) {
        return byWindow.getOrDefault(window, AcceptedWork.NONE);
    }
}
