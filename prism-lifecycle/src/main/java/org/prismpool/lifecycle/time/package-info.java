/** Monotonic time, deadlines and cancellation as explicit values. */
@NullMarked
package org.prismpool.lifecycle.time;

import org.jspecify.annotations.NullMarked;
