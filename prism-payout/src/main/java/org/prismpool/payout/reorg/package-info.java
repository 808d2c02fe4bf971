/** Reorganisations: what a disconnected block reverses and what is owed on the branch that replaced it. */
@NullMarked
package org.prismpool.payout.reorg;

import org.jspecify.annotations.NullMarked;
