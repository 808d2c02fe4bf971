/** Rows of landed blocks, their audit bundles, and of block candidates waiting to be submitted. */
@NullMarked
package org.prismpool.sharewriter.block;

import org.jspecify.annotations.NullMarked;
