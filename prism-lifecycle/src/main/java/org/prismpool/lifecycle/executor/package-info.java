/** A bounded executor with priorities, aging and exactly-once cancellation. */
@NullMarked
package org.prismpool.lifecycle.executor;

import org.jspecify.annotations.NullMarked;
