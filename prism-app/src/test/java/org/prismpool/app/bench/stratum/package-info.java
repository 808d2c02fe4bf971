@NullMarked
package org.prismpool.app.bench.stratum;

import org.jspecify.annotations.NullMarked;
