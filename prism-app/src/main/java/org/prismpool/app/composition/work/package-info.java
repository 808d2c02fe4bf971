/** Adapters of the work path: from a new tip through refresh, payout state and bundle to the job of each miner. */
@NullMarked
package org.prismpool.app.composition.work;

import org.jspecify.annotations.NullMarked;
