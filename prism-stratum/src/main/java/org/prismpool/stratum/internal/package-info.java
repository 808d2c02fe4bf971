/** Netty transport, admission and limits. */
@NullMarked
package org.prismpool.stratum.internal;

import org.jspecify.annotations.NullMarked;
