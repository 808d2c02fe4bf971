/** Inner workings of the group-commit writer. */
@NullMarked
package org.prismpool.sharewriter.internal;

import org.jspecify.annotations.NullMarked;
