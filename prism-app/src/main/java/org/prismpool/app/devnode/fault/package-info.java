/** Fault injection and the call recorder. */
@NullMarked
package org.prismpool.app.devnode.fault;

import org.jspecify.annotations.NullMarked;
