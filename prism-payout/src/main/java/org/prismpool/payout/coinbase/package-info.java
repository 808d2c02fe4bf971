/** The deterministic coinbase transaction and its signed manifest. */
@NullMarked
package org.prismpool.payout.coinbase;

import org.jspecify.annotations.NullMarked;
