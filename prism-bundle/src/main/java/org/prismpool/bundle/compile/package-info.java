/** Turning one build input into a signed coinbase manifest: in this process, in a helper process, or in both. */
@NullMarked
package org.prismpool.bundle.compile;

import org.jspecify.annotations.NullMarked;
