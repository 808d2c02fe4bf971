/** Jobs of a pool that needs no payout gate: the newest work goes to every miner at once. */
@NullMarked
package org.prismpool.stratum.solo;

import org.jspecify.annotations.NullMarked;
