/** Audit bundles: built, verified, explained, stored compactly and published. */
@NullMarked
package org.prismpool.payout.audit;

import org.jspecify.annotations.NullMarked;
