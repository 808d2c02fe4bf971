/** Metric families declared once, their series over a Dropwizard registry, and a cached text exposition. */
@NullMarked
package org.prismpool.lifecycle.metrics;

import org.jspecify.annotations.NullMarked;
