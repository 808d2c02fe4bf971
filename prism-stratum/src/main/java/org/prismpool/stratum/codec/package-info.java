/** The line protocol as bytes: strict JSON requests in, ASCII response and notification lines out. Pure. */
@NullMarked
package org.prismpool.stratum.codec;

import org.jspecify.annotations.NullMarked;
