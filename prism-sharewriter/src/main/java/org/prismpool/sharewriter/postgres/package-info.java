/** The ledger on PostgreSQL: connections, schema, and one class per family of tables. */
@NullMarked
package org.prismpool.sharewriter.postgres;

import org.jspecify.annotations.NullMarked;
