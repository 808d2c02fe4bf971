/** Tests of the binding of the owners' metrics. */
@NullMarked
package org.prismpool.app.metrics;

import org.jspecify.annotations.NullMarked;
