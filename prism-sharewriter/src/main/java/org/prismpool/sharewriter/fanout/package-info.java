/** Rows of settlement transactions and their broadcasts. */
@NullMarked
package org.prismpool.sharewriter.fanout;

import org.jspecify.annotations.NullMarked;
