/** CTV settlement: who is paid in the coinbase and who by a fanout, its covenant, manifests and their verification. */
@NullMarked
package org.prismpool.payout.ctv;

import org.jspecify.annotations.NullMarked;
