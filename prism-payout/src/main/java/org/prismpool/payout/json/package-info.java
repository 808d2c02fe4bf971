/** Exact JSON: a canonical writer whose bytes are hashed and signed, and a strict reader that keeps integers exact. */
@NullMarked
package org.prismpool.payout.json;

import org.jspecify.annotations.NullMarked;
