package org.prismpool.lifecycle.shutdown;

import java.time.Duration;

/**
 * How often threads had to wait for the lock of admission and stop, and how long. Every writer takes that lock twice, so a wait here
 * is a wait of the whole process.
 *
 * @param contentions acquisitions that met another holder
 * @param total time that these waited
 * @param longest longest of these waits; zero before the first
 */
public record LockWaits(long contentions, Duration total, Duration longest) {}
