package org.prismpool.delivery;

import java.util.OptionalLong;

/**
 * Sizes of the queues, for gauges and health.
 *
 * @param connections connections that are known
 * @param firstJobsPending first-job requests that have no outcome yet
 * @param firstJobsQueued those waiting for a worker
 * @param firstJobsRunning those on a worker
 * @param firstJobWorkers configured workers
 * @param oldestFirstJobNanos age of the oldest pending request
 * @param oldestUnservedNanos age of the oldest pending request of a connection that never received a job
 * @param fanoutInFlight fan-out deliveries submitted and without an outcome
 * @param fanoutQueued fan-out deliveries that wait for their submission
 * @param fanoutWidth how many deliveries the newest fan-out submits at a time; 0 before the first
 * @param activeJobs active jobs of all connections
 * @param retainedSameTip retained jobs of the published tip
 * @param retainedStaleGrace retained jobs of the tip before
 */
public record DeliveryStats(
        int connections,
        int firstJobsPending,
        int firstJobsQueued,
        int firstJobsRunning,
        int firstJobWorkers,
        OptionalLong oldestFirstJobNanos,
        OptionalLong oldestUnservedNanos,
        int fanoutInFlight,
        int fanoutQueued,
        int fanoutWidth,
        int activeJobs,
        int retainedSameTip,
        int retainedStaleGrace) {}
