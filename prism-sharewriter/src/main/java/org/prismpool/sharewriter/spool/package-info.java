/** Files that keep what the database did not take: found blocks and shares of older releases. */
@NullMarked
package org.prismpool.sharewriter.spool;

import org.jspecify.annotations.NullMarked;
