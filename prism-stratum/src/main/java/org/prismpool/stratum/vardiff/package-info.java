/** Variable difficulty: exact decisions over share windows, and the memory across reconnects. Pure arithmetic. */
@NullMarked
package org.prismpool.stratum.vardiff;

import org.jspecify.annotations.NullMarked;
