/** A Stratum V1 server with ports for identity, jobs and shares. */
@NullMarked
package org.prismpool.stratum;

import org.jspecify.annotations.NullMarked;
