package org.prismpool.bundle.internal;

import org.prismpool.bundle.BuildSource;

/**
 * One admission into the scheduler.
 *
 * @param id unique number; becomes the flight's id if the request starts one
 * @param key what is to be built
 * @param critical whether a publication waits for it
 * @param source who asks
 * @param idleRetarget whether it only retargets an idle connection
 * @param requestedAtNanos monotonic time of the request
 */
record SchedulerRequest(
        long id, FlightKey key, boolean critical, BuildSource source, boolean idleRetarget, long requestedAtNanos) {}
