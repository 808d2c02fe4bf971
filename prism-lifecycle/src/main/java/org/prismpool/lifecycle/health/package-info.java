/** Judging progress from memory alone, and the health answer that lays it over a cached base. */
@NullMarked
package org.prismpool.lifecycle.health;

import org.jspecify.annotations.NullMarked;
