/** Measures the share writer against the statement of the reference implementation. */
@NullMarked
package org.prismpool.sharewriter.bench;

import org.jspecify.annotations.NullMarked;
