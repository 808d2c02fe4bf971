/** Exact rewards, settlement and audit bundles. */
@NullMarked
package org.prismpool.payout;

import org.jspecify.annotations.NullMarked;
