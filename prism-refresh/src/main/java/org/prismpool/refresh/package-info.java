/** Tip observation, bounded refresh passes and the publication fence. */
@NullMarked
package org.prismpool.refresh;

import org.jspecify.annotations.NullMarked;
