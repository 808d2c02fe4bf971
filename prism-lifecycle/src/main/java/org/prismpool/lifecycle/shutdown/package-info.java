/** Stopping in order: writer admission, the writer barrier, the one lease release, and the drain of everything else. */
@NullMarked
package org.prismpool.lifecycle.shutdown;

import org.jspecify.annotations.NullMarked;
