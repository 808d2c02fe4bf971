/** The durable, fenced, single-writer share ledger. */
@NullMarked
package org.prismpool.sharewriter;

import org.jspecify.annotations.NullMarked;
