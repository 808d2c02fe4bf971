package org.prismpool.bundle;

/**
 * Gauges of the bundle service at one moment.
 *
 * @param active running builds
 * @param pending waiting builds, 0 or 1
 * @param priorityActive publication-critical builds that are live
 * @param priorityAgeNanos age of the oldest of them, 0 without one
 * @param oldestBuildAgeNanos age of the oldest running build, 0 without one
 * @param configuredWorkers threads that compile
 * @param wedged running builds that were given up because they did not stop in time
 * @param waiting callers whose request is open
 * @param parked routine requests that wait behind publication work
 * @param cached bundles in the cache
 */
public record BundleStatus(
        int active,
        int pending,
        int priorityActive,
        long priorityAgeNanos,
        long oldestBuildAgeNanos,
        int configuredWorkers,
        int wedged,
        int waiting,
        int parked,
        int cached) {

    /**
     * Tells whether every place is taken by a build that can't be stopped: health reason {@code bundle_build_stuck}.
     *
     * @return true once two builds are wedged
     */
    public boolean stuck() {
        return wedged >= 2;
    }
}
