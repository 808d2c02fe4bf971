/** The ledger in memory, for tests, proofs and demonstrations. */
@NullMarked
package org.prismpool.sharewriter.memory;

import org.jspecify.annotations.NullMarked;
