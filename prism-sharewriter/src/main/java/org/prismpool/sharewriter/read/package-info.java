/** Queries behind public pages and metrics. */
@NullMarked
package org.prismpool.sharewriter.read;

import org.jspecify.annotations.NullMarked;
