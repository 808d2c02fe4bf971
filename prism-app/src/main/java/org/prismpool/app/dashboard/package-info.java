/** The built-in page of the pool. Source: spec 08 §8.4. */
@NullMarked
package org.prismpool.app.dashboard;

import org.jspecify.annotations.NullMarked;
