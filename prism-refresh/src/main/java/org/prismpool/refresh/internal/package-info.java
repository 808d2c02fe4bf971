/** The refresh owner's machinery; no part of the public API. */
@NullMarked
package org.prismpool.refresh.internal;

import org.jspecify.annotations.NullMarked;
