package org.prismpool.refresh.internal;

import org.prismpool.lifecycle.time.Deadline;
import org.prismpool.templates.chain.Hash256;

/**
 * One pass's assignment.
 *
 * @param startedNanos monotonic instant at which the attempt began
 * @param sequence observation sequence of the probe
 * @param probed the best hash that was probed
 * @param deadline end of the pass
 */
record Attempt(long startedNanos, long sequence, Hash256 probed, Deadline deadline) {}
