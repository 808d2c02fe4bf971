/** Binds the owners' metrics ports and snapshots to the metric families of the pool; counts nothing of its own. */
@NullMarked
package org.prismpool.app.metrics;

import org.jspecify.annotations.NullMarked;
