/** Starting, running, stopping and explaining a long-lived process. */
@NullMarked
package org.prismpool.lifecycle;

import org.jspecify.annotations.NullMarked;
