/** Structured events of starting and stopping, told to a port, and the log of what is down and up again. */
@NullMarked
package org.prismpool.lifecycle.event;

import org.jspecify.annotations.NullMarked;
