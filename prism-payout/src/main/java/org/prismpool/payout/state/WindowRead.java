package org.prismpool.payout.state;

import java.util.Objects;

/**
 * A window that was just read, with its anchor still exposed: close it when the result is installed, or dead.
 *
 * @param window the window; its generation is 0 until it is installed
 * @param exposure keeps the anchor live
 */
public record WindowRead(PreparedWindow window, AnchorExposure exposure) implements AutoCloseable {

    /** Checks the components. */
    public WindowRead {
        Objects.requireNonNull(window, "window");
        Objects.requireNonNull(exposure, "exposure");
    }

    @Override
    public void close() {
        exposure.close();
    }
}
