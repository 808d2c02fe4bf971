package org.prismpool.delivery;

/**
 * How many connections have current work, at one instant.
 *
 * @param eligible connections that may receive jobs
 * @param current those whose active job is exactly the published work (spec 07 §7.8)
 * @param semantic those whose active job has the published fingerprint and payout generation
 * @param requiringRefresh those without delivered work, or with work that differs from the published one
 * @param withoutJob those without any job
 */
public record CoverageView(int eligible, int current, int semantic, int requiringRefresh, int withoutJob) {}
