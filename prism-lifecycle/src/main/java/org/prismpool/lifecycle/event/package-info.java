/** Structured events of starting and stopping: one name and a few fields each, told to a port. */
@NullMarked
package org.prismpool.lifecycle.event;

import org.jspecify.annotations.NullMarked;
