/** From counted work to amounts: exact allocation, payout policy, carry-forward balances and their maturity. */
@NullMarked
package org.prismpool.payout.reward;

import org.jspecify.annotations.NullMarked;
