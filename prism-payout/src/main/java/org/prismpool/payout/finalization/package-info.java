/**
 * Accounting of found blocks: from a candidate that the node has been offered to confirmed rows, verified audit
 * evidence and the next payout generation, in named phases that a crash may interrupt anywhere (spec 03 §6).
 */
@NullMarked
package org.prismpool.payout.finalization;

import org.jspecify.annotations.NullMarked;
