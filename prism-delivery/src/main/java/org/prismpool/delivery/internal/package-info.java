/** The delivery owner's machinery; no part of the public API. */
@NullMarked
package org.prismpool.delivery.internal;

import org.jspecify.annotations.NullMarked;
