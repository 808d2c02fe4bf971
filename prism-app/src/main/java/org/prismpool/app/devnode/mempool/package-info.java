/** Transactions that wait for a block. */
@NullMarked
package org.prismpool.app.devnode.mempool;

import org.jspecify.annotations.NullMarked;
