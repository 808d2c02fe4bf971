/**
 * What miners are currently paid from: payout sources and generations, the gate in front of every delivery, accepted
 * parents that the ledger has not confirmed yet, append epochs, clean anchors and prepared reward windows.
 */
@NullMarked
package org.prismpool.payout.state;

import org.jspecify.annotations.NullMarked;
