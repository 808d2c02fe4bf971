/** Reads of reward windows: the newest shares that carry a given amount of work. */
@NullMarked
package org.prismpool.sharewriter.window;

import org.jspecify.annotations.NullMarked;
