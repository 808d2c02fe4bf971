/** {@code prism bench stratum}: the miners' side of the pool over real sockets, without node and database. */
@NullMarked
package org.prismpool.app.bench.stratum;

import org.jspecify.annotations.NullMarked;
