/** Benchmarks of payout calculation. */
@NullMarked
package org.prismpool.payout.jmh;

import org.jspecify.annotations.NullMarked;
