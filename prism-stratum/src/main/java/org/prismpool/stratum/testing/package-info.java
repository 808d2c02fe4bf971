/** A line client for tests of Stratum servers and of programs that embed one. */
@NullMarked
package org.prismpool.stratum.testing;

import org.jspecify.annotations.NullMarked;
