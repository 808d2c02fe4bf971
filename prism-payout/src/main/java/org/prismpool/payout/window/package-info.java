/** The reward window: which accepted shares count for a found block, by how much, and for whom. */
@NullMarked
package org.prismpool.payout.window;

import org.jspecify.annotations.NullMarked;
