/** Scheduling, caching and building; nothing here is offered to other modules. */
@NullMarked
package org.prismpool.bundle.internal;

import org.jspecify.annotations.NullMarked;
