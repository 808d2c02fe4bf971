/** Measures a server over real sockets against an in-memory share sink. */
@NullMarked
package org.prismpool.stratum.bench;

import org.jspecify.annotations.NullMarked;
