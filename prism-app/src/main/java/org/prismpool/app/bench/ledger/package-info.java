/** {@code prism bench ledger}: the share ledger on a real PostgreSQL against the reference's statement. */
@NullMarked
package org.prismpool.app.bench.ledger;

import org.jspecify.annotations.NullMarked;
