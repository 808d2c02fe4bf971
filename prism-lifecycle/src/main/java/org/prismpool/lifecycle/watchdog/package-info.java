/** Deciding that the process must be replaced, and the one bounded way out. */
@NullMarked
package org.prismpool.lifecycle.watchdog;

import org.jspecify.annotations.NullMarked;
