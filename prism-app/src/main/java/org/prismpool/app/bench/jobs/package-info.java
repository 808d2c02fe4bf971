/**
 * {@code prism bench jobs}: from a new tip to the last miner, on the real composition with injected latencies (spec 07 §10.1).
 */
@NullMarked
package org.prismpool.app.bench.jobs;

import org.jspecify.annotations.NullMarked;
